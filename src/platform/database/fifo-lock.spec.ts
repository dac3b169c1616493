import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isDatabaseUnavailable } from './database-errors.js';
import { FifoLock } from './fifo-lock.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('FifoLock', () => {
  it('admits one caller at a time, in order of arrival', async () => {
    const lock = new FifoLock();
    const seen: number[] = [];
    const enter = async (caller: number) => {
      const release = await lock.acquire();
      seen.push(caller);
      await Promise.resolve();
      seen.push(caller);
      release();
    };
    await Promise.all([enter(1), enter(2), enter(3)]);
    expect(seen).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('rejects only callers that have waited two seconds', async () => {
    const lock = new FifoLock();
    const release = await lock.acquire();
    const refused = lock.acquire().catch(isDatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(1900);
    const patient = lock.acquire();
    await vi.advanceTimersByTimeAsync(200);
    expect(await refused).toBe(true);
    release();
    (await patient)();
    await expect(lock.acquire()).resolves.toBeTypeOf('function');
  });

  it('ignores a second release', async () => {
    const lock = new FifoLock();
    const release = await lock.acquire();
    release();
    const next = await lock.acquire();
    release();
    const third = lock.acquire().catch(isDatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(2100);
    expect(await third).toBe(true);
    next();
  });
});
