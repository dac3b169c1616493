import { afterEach, describe, expect, it, vi } from 'vitest';
import { get, getByItself } from './client';

afterEach(() => vi.unstubAllGlobals());

describe("The desk's API client", () => {
  it('marks only automatic requests as not extending the session', async () => {
    const fetched = vi.fn(async (_path: string, _init: RequestInit) => Response.json({ data: 7 }));
    vi.stubGlobal('fetch', fetched);
    expect(await getByItself('/api/players/1/timeline', { before: 'x', kinds: null })).toBe(7);
    expect(await get('/api/players/1/timeline')).toBe(7);
    expect(fetched.mock.calls).toMatchObject([
      ['/api/players/1/timeline?before=x', { method: 'GET' }],
      ['/api/players/1/timeline', { method: 'GET' }],
    ]);
    expect(fetched.mock.calls.map(([, { headers }]) => headers)).toEqual([
      { 'X-Desk-No-Use': '1' },
      {},
    ]);
  });
});
