import { describe, expect, it, vi } from 'vitest';
import { FailedLoginAggregator } from './failed-login-aggregator.js';
import type { NewLoginEvent } from './new-login-event.js';

const note = (changes: Partial<NewLoginEvent>): NewLoginEvent => ({
  time: Date.now(),
  way: 'login',
  outcome: 'bad_credentials',
  tries: 1,
  playerId: 1,
  account: 'victim',
  address: '192.0.2.1',
  device: null,
  sessionId: null,
  requestId: 'r',
  ...changes,
});
const triesOf = (notes: NewLoginEvent[]) => notes.reduce((sum, { tries }) => sum + tries, 0);

describe('FailedLoginAggregator', () => {
  it('writes two rows a minute for one account and address: the first failure and a count of the others', () => {
    vi.useFakeTimers();
    const failed = new FailedLoginAggregator();
    const written = Array.from({ length: 1000 }, () => failed.add(note({}))).filter(Boolean);
    expect(written).toEqual([note({})]);
    expect(failed.drain()).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(failed.drain()).toMatchObject([{ playerId: 1, address: '192.0.2.1', tries: 999 }]);
    expect(failed.add(note({}))).toBeDefined();
    expect(failed.drain(true)).toEqual([]);
    vi.useRealTimers();
  });

  it('ends its minute in time when the system clock is set back', () => {
    vi.useFakeTimers();
    const failed = new FailedLoginAggregator();
    for (let n = 0; n < 3; n++) failed.add(note({}));
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(60_000);
    expect(failed.drain()).toMatchObject([{ tries: 2 }]);
    vi.useRealTimers();
  });

  it('writes a bounded number of rows that together count every failure', () => {
    const failed = new FailedLoginAggregator();
    const written: NewLoginEvent[] = [];
    for (let n = 0; n < 100_000; n++) {
      const address = `2001:db8::${(n % 65_536).toString(16)}`;
      const row = failed.add(note({ playerId: n % 3 ? n : 7, account: `name${n}`, address }));
      if (row) written.push(row);
    }
    const counted = failed.drain(true);
    expect(written.length + counted.length).toBeLessThan(2000);
    expect(triesOf(written) + triesOf(counted)).toBe(100_000);
    // The account under attack still shows.
    const attacked = [...written, ...counted].filter(({ playerId }) => playerId === 7);
    expect(triesOf(attacked)).toBeGreaterThan(33_000);
  });

  it('writes one row per address for names without an account', () => {
    const failed = new FailedLoginAggregator();
    const guess = (n: number) => failed.add(note({ playerId: null, account: `invented${n}` }));
    expect(Array.from({ length: 100 }, (_, n) => guess(n)).filter(Boolean)).toHaveLength(1);
    expect(failed.drain(true)).toMatchObject([{ playerId: null, tries: 99 }]);
  });
});
