import { describe, expect, it } from 'vitest';
import { lineOf } from './timeline-line';

const login = (typed: string | null) => ({
  kind: 'login' as const,
  id: 1,
  at: '2026-11-15T10:00:00.000Z',
  outcome: 'bad_credentials',
  typed,
  address: '192.0.2.1',
});

describe('A timeline line', () => {
  it('shows the typed name only if it differs from the account name', () => {
    expect(lineOf(login('w•••@example.com'), 'Wanderer').details).toEqual([
      '“w•••@example.com”',
      '192.0.2.1',
    ]);
    expect(lineOf(login('nobody')).details).toEqual(['“nobody”', '192.0.2.1']);
    for (const same of ['Wanderer', 'wanderer', null])
      expect(lineOf(login(same), 'Wanderer').details).toEqual(['192.0.2.1']);
  });

  it('shows which request was rejected, and why', () => {
    const refusal = { request: 'POST /api/game/withdraw', outcome: 'server_not_found' };
    const event = { ...login(null), ...refusal, kind: 'refusal' as const };
    expect(lineOf(event)).toMatchObject({ text: 'refusal', values: refusal });
  });
});
