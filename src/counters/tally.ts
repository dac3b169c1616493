import { type Counts, isLocked } from '../cluster/memory-counts.js';

export interface Count {
  count: number;
  /** Until the count starts again from nothing. */
  secondsLeft: number;
  locked: boolean;
}

/** Neither Redis nor the primary process could be asked: whoever needs the count is refused, not let in. */
export class CountLost extends Error {
  constructor(cause: unknown) {
    super('a count could not be read', { cause });
  }
}

/**
 * Counts, and leaves the comparison to the caller: limits are settings, which may change between two requests.
 * Adding is one atomic step, so of many at once each sees a count of its own.
 */
export class Tally {
  constructor(private readonly counts: Counts) {}

  /** `window` is in seconds and starts with the first that is added to a key. */
  async add(key: string, points: number, window: number): Promise<Count> {
    const { count, msLeft } = await orLost(() => this.counts.add(key, points, window));
    return { count, secondsLeft: msLeft / 1000, locked: isLocked(count) };
  }

  /** Undoes an `add`, by adding: a key that was cleared would take with it what others have just counted. */
  async takeBack(key: string, points: number, window: number): Promise<void> {
    const { count } = await this.add(key, -points, window);
    // Its window had ended in the meantime, and its points with it.
    if (count < 0) await this.add(key, -count, window);
  }

  async lock(key: string, seconds: number): Promise<void> {
    await orLost(() => this.counts.lock(key, seconds));
  }

  async clear(key: string): Promise<void> {
    await orLost(() => this.counts.clear(key));
  }
}

async function orLost<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new CountLost(error);
  }
}
