import type { RateLimiterRedis } from 'rate-limiter-flexible';
import {
  type CounterState,
  type CounterStore,
  LOCKED_COUNT,
  MemoryCounterStore,
} from './memory-counter-store.js';
import { monotonicClock } from '../config/time.js';
import type { RedisConnection } from './redis-connection.js';

// A lock may last longer than the window of its count.
const MAX_LOCK_MS = 60 * 60 * 1000;
// This suffix marks a key that an operator released, so that no instance restores the count that it remembers.
const RELEASED = ':released';

/**
 * Counts in Redis, and in memory while Redis cannot be used. A failover may lose counts, and Redis lacks the counts
 * from an outage. So this instance remembers the last count of each key, continues from that count during an outage,
 * and raises the count in Redis to it afterwards. A count is therefore never below the number of points that this
 * instance added. With n instances and any number of failovers, an attacker gets at most n times the limit. Counts seen
 * after the outage are in Redis unless another instance cleared them, so they are not restored.
 */
export class RedisCounterStore implements CounterStore {
  private readonly limiter: RateLimiterRedis;
  private readonly local = new MemoryCounterStore();

  constructor(
    name: string,
    private readonly redis: RedisConnection,
  ) {
    this.limiter = redis.limiter(name);
  }

  async add(key: string, points: number, window: number): Promise<CounterState> {
    if (this.redis.state === 'up') {
      const now = monotonicClock.now();
      const unshared = this.mayHaveUnshared(window)
        ? this.local.findUnshared(key, now - this.redis.uptimeMs)
        : undefined;
      const state = await this.tryRedis(() => this.raiseAndAdd(unshared, key, points, window));
      if (state) {
        if (points !== 0) this.recordLocally(key, points, window, state, now);
        return state;
      }
    }
    return this.local.add(key, points, window);
  }

  async lock(key: string, seconds: number): Promise<void> {
    const now = monotonicClock.now();
    const done = await this.tryRedis(() =>
      this.redis.set(this.limiter.getKey(key), LOCKED_COUNT, seconds * 1000),
    );
    this.local.lock(key, seconds, done && now);
  }

  async clear(key: string): Promise<void> {
    await this.tryRedis(() => this.limiter.delete(key));
    this.local.clear(key);
  }

  async release(key: string): Promise<void> {
    const name = this.limiter.getKey(key) + RELEASED;
    await this.tryRedis(() => this.redis.set(name, 1, MAX_LOCK_MS));
    await this.clear(key);
  }

  async find(key: string): Promise<CounterState | undefined> {
    const name = this.limiter.getKey(key);
    const read = await this.tryRedis(async () => ({ of: await this.redis.get(name) }));
    return read ? read.of : this.local.find(key);
  }

  /** Returns undefined if Redis cannot be used. Every failure stops the sharing of counts until Redis is back. */
  private async tryRedis<T extends {}>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.redis.state !== 'up') return undefined;
    try {
      return await ask();
    } catch (error) {
      this.redis.reportFailure(error);
      return undefined;
    }
  }

  private async raiseAndAdd(
    unshared: CounterState | undefined,
    key: string,
    points: number,
    window: number,
  ): Promise<CounterState> {
    const name = this.limiter.getKey(key);
    if (unshared && unshared.count > 0) {
      if (await this.redis.get(name + RELEASED)) this.local.clear(key);
      else await this.redis.raise(name, unshared.count, unshared.msLeft);
    }
    const options = { customDuration: window };
    const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, points, options);
    return { count: consumedPoints, msLeft: msBeforeNext };
  }

  /** Returns whether a count from an outage may still be higher than the count in Redis. */
  private mayHaveUnshared(window: number): boolean {
    return this.redis.uptimeMs < Math.max(window * 1000, MAX_LOCK_MS);
  }

  private recordLocally(
    key: string,
    points: number,
    window: number,
    state: CounterState,
    now: number,
  ): void {
    // If Redis failed after this response, concurrent requests have continued counting in memory.
    if (this.redis.state === 'up') this.local.recordShared(key, points, state, now);
    else this.local.add(key, points, window);
  }
}
