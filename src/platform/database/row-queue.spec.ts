import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseWaitTimeout, isDatabaseUnavailable } from './database-errors.js';
import { RowQueue, FifoLock } from './row-queue.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The test decides when each of these requests ends. */
function startRequests(queue: RowQueue, row: string, count: number) {
  const ends: Array<() => void> = [];
  const requests = Array.from({ length: count }, () =>
    queue.run(row, () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  const outcomes = Promise.allSettled(requests);
  return { ends, outcomes };
}

describe('RowQueue', () => {
  it('runs one request per row at a time', async () => {
    const { ends, outcomes } = startRequests(new RowQueue(null!), 'player 1', 3);
    let turn = 0;
    for (const started of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(0);
      expect(ends).toHaveLength(started);
      ends[turn++]!();
    }
    expect((await outcomes).every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('does not delay a request for another row', async () => {
    const queue = new RowQueue(null!);
    startRequests(queue, 'player 1', 2);
    expect(await queue.run('player 2', async () => 'done')).toBe('done');
  });

  it('rejects a request that has waited two seconds', async () => {
    const queue = new RowQueue(null!);
    const { outcomes, ends } = startRequests(queue, 'player 1', 2);
    await vi.advanceTimersByTimeAsync(2000);
    for (const end of ends) end();
    const [, second] = await outcomes;
    expect(second).toMatchObject({ reason: expect.any(DatabaseWaitTimeout) });
  });

  it('runs the next request after one has failed', async () => {
    const queue = new RowQueue(null!);
    const failing = () => queue.run('player 1', () => Promise.reject(new Error('failed')));
    await Promise.allSettled([failing(), failing()]);
    expect(await queue.run('player 1', async () => 'done')).toBe('done');
  });
});

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

  it('admits as many callers at a time as it has places', async () => {
    const lock = new FifoLock(2);
    const releases = [await lock.acquire(), await lock.acquire()];
    const third = lock.acquire();
    const refused = lock.acquire().catch(isDatabaseUnavailable);
    releases[0]!();
    const releaseThird = await third;
    await vi.advanceTimersByTimeAsync(2100);
    expect(await refused).toBe(true);
    releases[1]!();
    expect(lock.isUnused).toBe(false);
    releaseThird();
    expect(lock.isUnused).toBe(true);
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
