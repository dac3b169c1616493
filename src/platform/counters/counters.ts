import cluster from 'node:cluster';
import { Injectable } from '@nestjs/common';
import { PrimaryCounterStore, PrimaryChannel } from '../cluster/primary-counter-store.js';
import { MemoryCounterStore } from '../cluster/memory-counter-store.js';
import { RedisConnection } from './redis-connection.js';
import { RedisCounterStore } from './redis-counter-store.js';
import { SharedCounter } from './shared-counter.js';

/** Creates counters shared by all instances (Redis) or, without Redis, by all workers of this instance. */
@Injectable()
export class Counters {
  private readonly channel = cluster.isWorker ? new PrimaryChannel() : undefined;

  constructor(private readonly redis: RedisConnection) {}

  /**
   * `name` is the prefix of its keys; no two tallies share one. What Redis counts is also kept at hand (`carried`),
   * so that nobody starts afresh when it is lost. That costs a worker a message: not for what each request counts.
   */
  create(name: string, { carried: mirrored = true } = {}): SharedCounter {
    const local = this.channel
      ? new PrimaryCounterStore(name, this.channel)
      : new MemoryCounterStore();
    return new SharedCounter(
      this.redis.isConfigured ? new RedisCounterStore(name, this.redis, local, mirrored) : local,
    );
  }
}
