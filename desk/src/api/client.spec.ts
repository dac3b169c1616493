import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from '../session/session';
import type { SessionAnswer } from './answers';
import { get, getByItself, post } from './client';

afterEach(() => {
  vi.unstubAllGlobals();
  session.end('left');
});

const sessionOf = (name: string, token: string) =>
  ({ operator: { name, role: 'admin' }, token }) as SessionAnswer;

describe("The desk's API client", () => {
  it('sends X-Desk-No-Use only with automatic requests, so that they do not extend the session', async () => {
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

  it.each([
    ["repeats an action with a token that the operator's other tab has obtained", 'anna', 2],
    ['never repeats an action for another operator who has signed in meanwhile', 'bert', 1],
  ])('%s', async (_, operatorNow, actions) => {
    session.begin(sessionOf('anna', 'old'));
    const tokens: (string | null)[] = [];
    vi.stubGlobal('fetch', async (_path: string, { method, headers }: RequestInit) => {
      if (method === 'GET') return Response.json({ data: sessionOf(operatorNow, 'new') });
      tokens.push(new Headers(headers).get('X-Desk-Token'));
      return tokens.at(-1) === 'old'
        ? Response.json({ error: 'forbidden' }, { status: 403 })
        : Response.json({ data: {} });
    });
    await post('/api/players/1/disable', { note: 'x' }).catch(() => undefined);
    expect(tokens).toEqual(['old', 'new'].slice(0, actions));
  });
});
