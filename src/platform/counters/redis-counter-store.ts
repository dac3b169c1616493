import type { RateLimiterRedis } from 'rate-limiter-flexible';
import {
  type CounterState,
  type CounterStore,
  LOCKED_COUNT,
  MemoryCounterStore,
} from './memory-counter-store.js';
import { monotonicClock } from './monotonic-clock.js';
import type { RedisConnection } from './redis-connection.js';

// A lock may outlast the window of its count.
const MAX_LOCK_MS = 60 * 60 * 1000;
// Marks a key that an operator released: what instances remember of it must not be restored.
const RELEASED = ':released';

/**
 * Counts in Redis, and in memory while Redis cannot be used. A failover may lose counts, and Redis knows nothing of
 * what was counted here meanwhile. So this instance remembers the last count of each key, continues from it when Redis
 * is lost, and raises Redis to it when Redis is back. Then a count is never below the number of points that came
 * through this instance: with n instances and any number of failovers a guesser gets at most n times the limit. Counts
 * seen since Redis is back are in Redis unless another instance cleared them, so Redis is not raised to those.
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

  /** Undefined if Redis cannot be used. Every failure stops the sharing until Redis is raised to our counts. */
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

  /** Counts from before Redis came back may still be ahead of it. */
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
    // Redis was lost with this answer: others have continued counting in memory.
    if (this.redis.state === 'up') this.local.recordShared(key, points, state, now);
    else this.local.add(key, points, window);
  }
}
