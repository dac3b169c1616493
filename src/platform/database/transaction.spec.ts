import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retryConflicts } from './transaction.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const deadlock = Object.assign(new Error('deadlock'), { errno: 1213 });

describe('retryConflicts', () => {
  it('repeats conflicting work for up to two seconds', async () => {
    let tries = 0;
    const outcome = retryConflicts(async () => {
      if (++tries <= 15) throw deadlock;
      return 'done';
    });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await outcome).toBe('done');
    expect(tries).toBe(16);
  });

  it('fails with the conflict after two seconds', async () => {
    const outcome = retryConflicts(() => Promise.reject(deadlock)).catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(2200);
    expect(await outcome).toBe(deadlock);
  });

  it('does not repeat work that fails for another reason', async () => {
    const work = vi.fn(() => Promise.reject(new Error('no')));
    await expect(retryConflicts(work)).rejects.toThrow('no');
    expect(work).toHaveBeenCalledTimes(1);
  });
});
