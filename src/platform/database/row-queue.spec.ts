import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseWaitTimeout } from './database-errors.js';
import { RowQueue } from './row-queue.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts requests for a row that end when they are told to. */
function startRequests(queue: RowQueue, row: string, count: number) {
  const ends: Array<() => void> = [];
  const requests = Array.from({ length: count }, () =>
    queue.run(row, () => new Promise<void>((resolve) => ends.push(resolve))),
  );
  const outcomes = Promise.allSettled(requests);
  return { ends, outcomes };
}

describe('RowQueue', () => {
  it('runs three requests for a row at once and the others after them', async () => {
    const { ends, outcomes } = startRequests(new RowQueue(null!), 'player 1', 5);
    let turn = 0;
    for (const started of [3, 4, 5, 5, 5]) {
      await vi.advanceTimersByTimeAsync(0);
      expect(ends).toHaveLength(started);
      ends[turn++]!();
    }
    expect((await outcomes).every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('does not make a request for another row wait', async () => {
    const queue = new RowQueue(null!);
    startRequests(queue, 'player 1', 4);
    expect(await queue.run('player 2', async () => 'done')).toBe('done');
  });

  it('rejects a request that has waited two seconds', async () => {
    const queue = new RowQueue(null!);
    const { outcomes, ends } = startRequests(queue, 'player 1', 4);
    await vi.advanceTimersByTimeAsync(2000);
    for (const end of ends) end();
    const [, , , fourth] = await outcomes;
    expect(fourth).toMatchObject({ reason: expect.any(DatabaseWaitTimeout) });
  });

  it('lets the next request run after one has failed', async () => {
    const queue = new RowQueue(null!);
    const failing = () => queue.run('player 1', () => Promise.reject(new Error('failed')));
    await Promise.allSettled([failing(), failing(), failing(), failing()]);
    expect(await queue.run('player 1', async () => 'done')).toBe('done');
  });
});
