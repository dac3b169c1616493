import cluster from 'node:cluster';
import { Injectable } from '@nestjs/common';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
} from 'rate-limiter-flexible';
import { RedisConnection } from './redis-connection.js';
import { LOCKED, Tally } from './tally.js';

export interface CounterOptions {
  /** Prefix of the counter's keys; no two counters share one. */
  name: string;
  points: number;
  /** Seconds. */
  duration: number;
}

/** Makes counters that hold for all instances (Redis), or, without one, for all workers of this instance. */
@Injectable()
export class Counters {
  constructor(private readonly redis: RedisConnection) {}

  /** For limits that are settings. `name` is the prefix of its keys. */
  tally(name: string): Tally {
    return new Tally(this.create({ name, points: LOCKED, duration: 60 }));
  }

  create({ name, points, duration }: CounterOptions): RateLimiterAbstract {
    const options = { keyPrefix: name, points, duration };
    const local = cluster.isWorker
      ? new RateLimiterCluster({ ...options, timeoutMs: 1000 })
      : new RateLimiterMemory(options);
    if (!this.redis.client) return local;
    return new RateLimiterRedis({
      ...options,
      storeClient: this.redis.client,
      rejectIfRedisNotReady: true,
      insuranceLimiter: local,
    });
  }
}
