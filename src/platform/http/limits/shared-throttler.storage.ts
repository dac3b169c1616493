import type { ThrottlerStorage } from '@nestjs/throttler';
import { type RateLimitGroup, rateLimitGroups } from '../request/address.js';
import type { SharedCounter } from '../../counters/shared-counter.js';

/** Keeps the throttler's counts with all other counts: in Redis, or in the memory of the instance. */
export class SharedThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly counter: SharedCounter) {}

  async increment(address: string, ttlMs: number, limit: number) {
    const [own, ...wider] = rateLimitGroups(address);
    let reading = await this.add(own!, ttlMs, limit);
    // A refused request does not count against neighbouring addresses.
    for (const group of wider)
      if (!reading.isBlocked) reading = await this.add(group, ttlMs, limit);
    return reading;
  }

  private async add({ group, multiplier }: RateLimitGroup, ttlMs: number, limit: number) {
    const { count, secondsLeft } = await this.counter.add(group, 1, ttlMs / 1000);
    return {
      totalHits: count,
      timeToExpire: secondsLeft,
      isBlocked: count > limit * multiplier,
      timeToBlockExpire: secondsLeft,
    };
  }
}
