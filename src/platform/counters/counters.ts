import { Injectable } from '@nestjs/common';
import { MemoryCounterStore } from './memory-counter-store.js';
import { RedisConnection } from './redis-connection.js';
import { RedisCounterStore } from './redis-counter-store.js';
import { SharedCounter } from './shared-counter.js';

/** Creates counters that all instances share through Redis or, without Redis, that this instance keeps in memory. */
@Injectable()
export class Counters {
  constructor(private readonly redis: RedisConnection) {}

  /** `name` is the prefix of its keys; no two counters share one. */
  create(name: string): SharedCounter {
    return new SharedCounter(
      this.redis.isConfigured ? new RedisCounterStore(name, this.redis) : new MemoryCounterStore(),
    );
  }
}
