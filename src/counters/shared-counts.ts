import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Counts, LOCKED, type OwnCounts, type Standing } from '../cluster/memory-counts.js';
import type { RedisConnection } from './redis-connection.js';

// A lock may outlast the window of its count.
const LONGEST_LOCK_MS = 60 * 60 * 1000;
// Marks a key that an operator has released: what an instance has kept of it must not come back.
const RELEASED = ':released';

/**
 * Counts in Redis, and by this instance alone while Redis cannot be used.
 *
 * A fail-over may lose counts, and Redis knows nothing of what was counted here meanwhile. So this instance keeps
 * what it last saw of each key: it goes on from there when Redis is lost, and raises Redis to it once Redis is back.
 * Then a count is not below the number of points that came through this instance: over n instances and any number of
 * fail-overs a guesser gets at most n times the limit. What it saw since Redis is back is in Redis, unless another
 * instance has cleared it: Redis is not raised to that.
 */
export class SharedCounts implements Counts {
  private readonly limiter: RateLimiterRedis;

  constructor(
    name: string,
    private readonly redis: RedisConnection,
    private readonly own: OwnCounts,
    private readonly carried: boolean,
  ) {
    this.limiter = redis.limiter(name);
  }

  async add(key: string, points: number, window: number): Promise<Standing> {
    if (this.redis.state === 'up') {
      const now = Date.now();
      const kept = this.mayBeAhead(window)
        ? await this.own.findAhead(key, now - this.redis.upForMs)
        : undefined;
      const standing = await this.inRedis(() => this.addAbove(kept, key, points, window));
      if (standing) {
        if (this.carried && points !== 0) this.note(key, points, window, standing, now);
        return standing;
      }
    }
    return this.own.add(key, points, window);
  }

  async lock(key: string, seconds: number): Promise<void> {
    const now = Date.now();
    const done = await this.inRedis(() =>
      this.redis.set(this.limiter.getKey(key), LOCKED, seconds * 1000),
    );
    if (!done) await this.own.lock(key, seconds);
    else if (this.carried) await this.own.lock(key, seconds, now);
  }

  async clear(key: string): Promise<void> {
    const done = await this.inRedis(async () => ({ existed: await this.limiter.delete(key) }));
    if (!done || this.carried) await this.own.clear(key);
  }

  async release(key: string): Promise<void> {
    const name = this.limiter.getKey(key) + RELEASED;
    await this.inRedis(() => this.redis.set(name, 1, LONGEST_LOCK_MS));
    await this.clear(key);
  }

  async find(key: string): Promise<Standing | undefined> {
    const name = this.limiter.getKey(key);
    const read = await this.inRedis(async () => ({ of: await this.redis.get(name) }));
    return read ? read.of : this.own.find(key);
  }

  /** Undefined where Redis cannot be used. Every failure ends the sharing, until Redis is raised to our counts. */
  private async inRedis<T extends {}>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.redis.state !== 'up') return undefined;
    try {
      return await ask();
    } catch (error) {
      this.redis.failed(error);
      return undefined;
    }
  }

  private async addAbove(
    kept: Standing | undefined,
    key: string,
    points: number,
    window: number,
  ): Promise<Standing> {
    const name = this.limiter.getKey(key);
    if (kept && kept.count > 0) {
      if (await this.redis.get(name + RELEASED)) await this.own.clear(key);
      else await this.redis.raise(name, kept.count, kept.msLeft);
    }
    const options = { customDuration: window };
    const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, points, options);
    return { count: consumedPoints, msLeft: msBeforeNext };
  }

  /** What was counted before Redis came back may still be ahead of it. */
  private mayBeAhead(window: number): boolean {
    return this.carried && this.redis.upForMs < Math.max(window * 1000, LONGEST_LOCK_MS);
  }

  private note(key: string, points: number, window: number, standing: Standing, now: number): void {
    // Redis was lost with this answer: others have gone on counting here without this one.
    const noted =
      this.redis.state === 'up'
        ? this.own.note(key, points, standing, now)
        : this.own.add(key, points, window);
    // Nobody waits for it. A primary that does not answer refuses the next guess, when it is needed.
    Promise.resolve(noted).catch(() => undefined);
  }
}
