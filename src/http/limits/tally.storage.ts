import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Tally } from '../../counters/tally.js';

/** Keeps the throttler's counts where all our counts are: in Redis, or in the memory of the instance. */
export class TallyStorage implements ThrottlerStorage {
  constructor(private readonly tally: Tally) {}

  async increment(key: string, ttlMs: number, limit: number) {
    const { count, secondsLeft } = await this.tally.add(key, 1, ttlMs / 1000);
    return {
      totalHits: count,
      timeToExpire: secondsLeft,
      isBlocked: count > limit,
      timeToBlockExpire: secondsLeft,
    };
  }
}
