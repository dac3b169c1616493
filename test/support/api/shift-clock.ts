import { vi } from 'vitest';

/** Moves the clock of the service forward; timers are not affected. */
export async function withClockAhead<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
