import cluster from 'node:cluster';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { LimiterOfPrimary, LineToPrimary } from '../cluster/counts-of-all-workers.js';
import { RedisConnection } from './redis-connection.js';
import { LOCKED, Tally } from './tally.js';

/** Makes counters that hold for all instances (Redis), or, without one, for all workers of this instance. */
@Injectable()
export class Counters {
  private readonly primary = cluster.isWorker ? new LineToPrimary() : undefined;

  constructor(private readonly redis: RedisConnection) {}

  /** `name` is the prefix of its keys; no two tallies share one. */
  tally(name: string): Tally {
    // Each step brings a duration of its own.
    const options = { keyPrefix: name, points: LOCKED, duration: 60 };
    const local = this.primary
      ? new LimiterOfPrimary(options, this.primary)
      : new RateLimiterMemory(options);
    if (!this.redis.client) return new Tally(local);
    const shared = new RateLimiterRedis({
      ...options,
      storeClient: this.redis.client,
      rejectIfRedisNotReady: true,
      insuranceLimiter: local,
    });
    return new Tally(shared);
  }
}
