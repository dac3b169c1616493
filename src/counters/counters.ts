import cluster from 'node:cluster';
import { Injectable } from '@nestjs/common';
import { CountsOfPrimary, LineToPrimary } from '../cluster/counts-of-all-workers.js';
import { MemoryCounts } from '../cluster/memory-counts.js';
import { RedisConnection } from './redis-connection.js';
import { SharedCounts } from './shared-counts.js';
import { Tally } from './tally.js';

/** Creates counters shared by all instances (Redis) or, without Redis, by all workers of this instance. */
@Injectable()
export class Counters {
  private readonly primary = cluster.isWorker ? new LineToPrimary() : undefined;

  constructor(private readonly redis: RedisConnection) {}

  /**
   * `name` is the prefix of its keys; no two tallies share one. What Redis counts is also kept at hand (`carried`),
   * so that nobody starts afresh when it is lost. That costs a worker a message: not for what each request counts.
   */
  tally(name: string, { carried = true } = {}): Tally {
    const own = this.primary ? new CountsOfPrimary(name, this.primary) : new MemoryCounts();
    return new Tally(this.redis.on ? new SharedCounts(name, this.redis, own, carried) : own);
  }
}
