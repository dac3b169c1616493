import { vi } from 'vitest';
import { DatabaseClock } from '../../../src/platform/database/database-clock.js';
import { monotonicClock } from '../../../src/platform/config/time.js';

/** Runs `work` with all clocks set ahead. A negative value sets only the wall clock back; timers are not affected. */
export async function withClockAhead<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  const monotonic = vi.spyOn(monotonicClock, 'now');
  monotonic.mockImplementation(() => performance.now() + Math.max(0, seconds * 1000));
  const follow = vi.spyOn(DatabaseClock.prototype as unknown as { follow: () => void }, 'follow');
  follow.mockImplementation(() => undefined);
  try {
    return await work();
  } finally {
    follow.mockRestore();
    monotonic.mockRestore();
    vi.useRealTimers();
  }
}
