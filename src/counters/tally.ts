import type { RateLimiterLike } from 'rate-limiter-flexible';

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

/** A count that no one reaches by counting: a locked key stands here. */
export const LOCKED = 1_000_000_000;

/**
 * Counts, and leaves the comparison to the caller: limits are settings, which may change between two requests.
 * Adding is one atomic step, so of many at once each sees a count of its own.
 */
export class Tally {
  constructor(private readonly limiter: RateLimiterLike) {}

  /** `window` is in seconds and starts with the first that is added to a key. */
  async add(key: string, points: number, window: number): Promise<Count> {
    const { consumedPoints, msBeforeNext } = await this.limiter
      .penalty(key, points, { customDuration: window })
      .catch(lost);
    return {
      count: consumedPoints,
      secondsLeft: msBeforeNext / 1000,
      locked: consumedPoints >= LOCKED / 2,
    };
  }

  /** Undoes an `add`, by adding: a key that was cleared would take with it what others have just counted. */
  async takeBack(key: string, points: number, window: number): Promise<void> {
    const { count } = await this.add(key, -points, window);
    // Its window had ended in the meantime, and its points with it.
    if (count < 0) await this.add(key, -count, window);
  }

  async lock(key: string, seconds: number): Promise<void> {
    await this.limiter.block(key, seconds).catch(lost);
  }

  async clear(key: string): Promise<void> {
    await this.limiter.delete(key).catch(lost);
  }
}

function lost(error: unknown): never {
  throw new CountLost(error);
}
