import { afterEach, describe, expect, it, vi } from 'vitest';
import { DatabaseWaitTimeout, NoDatabaseConnection } from './database-errors.js';
import { accountDatabaseQueue, Batcher, BatchedLookup } from './batcher.js';
import type { DataSource } from 'typeorm';

/** Simulates a database that records its statements and responds to each when the test opens its gate. */
function slowDatabase() {
  const statements: number[][] = [];
  const gates: Array<{ open: () => void; fail: (error: Error) => void }> = [];
  const answer = async (asked: number[]) => {
    statements.push(asked);
    await new Promise<void>((open, fail) => gates.push({ open, fail }));
    return asked.map((one) => one * 2);
  };
  const answerAll = async () => {
    for (let next = gates.shift(); next; next = gates.shift()) {
      next.open();
      await nextTurn();
    }
  };
  return { statements, gates, answer, answerAll };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe('Batcher', () => {
  it('joins the requests of one tick and gives each its own result', async () => {
    const { statements, answer, answerAll } = slowDatabase();
    const batcher = new Batcher(answer, 10);
    const answers = Promise.all([1, 2, 3].map((one) => batcher.submit(one)));
    await nextTurn();
    expect(statements).toEqual([[1, 2, 3]]);
    await answerAll();
    expect(await answers).toEqual([2, 4, 6]);
  });

  it('runs at most two statements at a time, each of limited size', async () => {
    const { statements, answer, answerAll } = slowDatabase();
    const batcher = new Batcher(answer, 3);
    const answers: Array<Promise<number>> = [];
    for (const one of [1, 2, 3, 4, 5, 6]) {
      answers.push(batcher.submit(one));
      await nextTurn();
    }
    expect(statements).toEqual([[1], [2]]);
    await answerAll();
    expect(statements).toEqual([[1], [2], [3, 4, 5], [6]]);
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12]);
  });

  it('limits a batch by the size of its requests and sends an oversized request alone', async () => {
    const sizes: number[] = [];
    const answer = async (asked: number[]) => {
      sizes.push(asked.length);
      return asked;
    };
    const batcher = new Batcher(answer, 10, (size) => size);
    await Promise.all([4, 5, 20, 3].map((size) => batcher.submit(size)));
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('fails all waiting requests when the database goes down, and serves later ones', async () => {
    const { statements, gates, answer, answerAll } = slowDatabase();
    const batcher = new Batcher(answer, 1);
    const outcome = (one: number) => batcher.submit(one).catch((error: Error) => error.message);
    const outcomes = [1, 2, 3, 4].map(outcome);
    await nextTurn();
    gates.shift()!.fail(new NoDatabaseConnection(new Error('gone')));
    await nextTurn();
    await answerAll();
    expect(await Promise.all(outcomes)).toEqual(['gone', 4, 'gone', 'gone']);
    expect(statements).toEqual([[1], [2]]);

    const later = [5, 6].map(outcome);
    await nextTurn();
    gates.shift()!.fail(new Error('a mistake in this one'));
    await nextTurn();
    await answerAll();
    expect(await Promise.all(later)).toEqual(['a mistake in this one', 12]);
  });

  it('fails requests that waited two seconds behind a slow database', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { answer, answerAll } = slowDatabase();
    const batcher = new Batcher(answer, 1);
    const outcome = (one: number) => batcher.submit(one).catch((error: unknown) => error);
    const underWay = [1, 2].map((one) => batcher.submit(one));
    await nextTurn();
    const early = outcome(3);
    await nextTurn();
    vi.advanceTimersByTime(1500);
    const late = outcome(4);
    await nextTurn();
    expect(accountDatabaseQueue.waiting).toBe(2);
    vi.advanceTimersByTime(600);
    expect(await early).toBeInstanceOf(DatabaseWaitTimeout);
    await answerAll();
    expect(await Promise.all([...underWay, late])).toEqual([2, 4, 8]);
    expect(accountDatabaseQueue.waiting).toBe(0);
  });

  it('accepts a response that arrived while the process was suspended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { gates, answer } = slowDatabase();
    const asked = new Batcher(answer, 1).submit(1);
    await nextTurn();
    // In each turn of the event loop, timers run before socket callbacks.
    vi.advanceTimersByTime(6000);
    gates.shift()!.open();
    expect(await asked).toBe(2);
  });

  it('fails each request five seconds after it was made', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { statements, gates, answer, answerAll } = slowDatabase();
    const batcher = new Batcher(answer, 2);
    const ended: string[] = [];
    const submit = (one: number) =>
      batcher.submit(one).then(
        (doubled) => ended.push(`${one}: ${doubled}`),
        (error: Error) => ended.push(`${one}: ${error.constructor.name}`),
      );
    const after = async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      await nextTurn();
    };
    const all = [submit(1)];
    await after(0);
    all.push(submit(2));
    await after(500);
    all.push(submit(3));
    await after(1000);
    all.push(submit(4));
    gates.shift()!.open();
    await after(0);
    // The statement of 3 and 4 waits for a connection and is then slow.
    expect(statements).toEqual([[1], [2], [3, 4]]);
    await after(3499);
    expect(ended).toEqual(['1: 2']);
    await after(1);
    expect(ended).toEqual(['1: 2', '2: DatabaseWaitTimeout']);
    await after(499);
    expect(ended).toHaveLength(2);
    await after(1);
    expect(ended.slice(2)).toEqual(['3: DatabaseWaitTimeout']);
    // Request 4 came later, so its response is in time. Requests 2 and 3 have already failed.
    await answerAll();
    expect(ended.slice(3)).toEqual(['4: 8']);
    expect(vi.getTimerCount()).toBe(0);
    await Promise.all(all);
  });
});

describe('A late error of a batched request', () => {
  it('does not end the process if the request has already failed after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const unhandled = vi.fn<() => void>();
    process.on('unhandledRejection', unhandled);
    const { gates, answer } = slowDatabase();
    const runStatement = (asked: number[]) =>
      answer(asked).then(() => [Promise.reject<number>(new Error('late'))]);
    const outcome = new Batcher(runStatement, 1).submit(1).catch((error: unknown) => error);
    await nextTurn();
    vi.advanceTimersByTime(5000);
    expect(await outcome).toBeInstanceOf(DatabaseWaitTimeout);
    gates.shift()!.open();
    await nextTurn();
    await nextTurn();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('A batched lookup', () => {
  it.each(['number', 'text'])(
    'gives each caller its own row when the row number is a %s',
    async (kind) => {
      const query = async (_: string, values: string[]) =>
        values.flatMap((account, place) =>
          account === 'nobody' ? [] : [{ place: kind === 'text' ? String(place) : place, account }],
        );
      const manager = { query, dataSource: { options: { type: 'better-sqlite3' } } };
      const lookup = new BatchedLookup<{ account: string }>(
        { manager } as unknown as DataSource,
        'account',
        'FROM player WHERE account = ?',
      );
      const found = await Promise.all(['one', 'nobody', 'two'].map((name) => lookup.find(name)));
      expect(found.map((row) => row?.account)).toEqual(['one', undefined, 'two']);
    },
  );
});
