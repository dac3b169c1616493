import { vi } from 'vitest';

/** Lets the service's clock run ahead; timers keep theirs. */
export async function withClockAhead<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
