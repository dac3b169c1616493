import type { ThrottlerStorage } from '@nestjs/throttler';
import type { SharedCounter } from '../../counters/shared-counter.js';

/** Keeps the throttler's counts where all our counts are: in Redis, or in the memory of the instance. */
export class SharedThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly counter: SharedCounter) {}

  async increment(key: string, ttlMs: number, limit: number) {
    const { count, secondsLeft } = await this.counter.add(key, 1, ttlMs / 1000);
    return {
      totalHits: count,
      timeToExpire: secondsLeft,
      isBlocked: count > limit,
      timeToBlockExpire: secondsLeft,
    };
  }
}
