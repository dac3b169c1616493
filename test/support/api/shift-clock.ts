import { vi } from 'vitest';
import { monotonicClock } from '../../../src/platform/counters/monotonic-clock.js';

/** Lets time pass for rows and counters, or only sets the wall clock back; timers are not affected. */
export async function withClockAhead<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  const monotonic = vi.spyOn(monotonicClock, 'now');
  monotonic.mockImplementation(() => performance.now() + Math.max(0, seconds * 1000));
  try {
    return await work();
  } finally {
    monotonic.mockRestore();
    vi.useRealTimers();
  }
}
