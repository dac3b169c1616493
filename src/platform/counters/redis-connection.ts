import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { Environment } from '../config/environment.js';
import { parseRedisUrl } from '../config/redis-url.js';
import { Metrics } from '../metrics/metrics.js';
import { LOCKED_COUNT } from './memory-counter-store.js';
import { createRedisClient, type RedisClient } from './redis-client.js';
import { RedisProbe } from './redis-probe.js';

const PROBE_SECONDS = 10;
const FIRST_CONNECTION_MS = 2000;

const RAISE = `
if tonumber(redis.call('get', KEYS[1]) or 0) < tonumber(ARGV[1]) then
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1`;
type WithRaise = RedisClient & {
  gatehouseRaise(key: string, count: number, ms: number): Promise<number>;
};

/** Connects to Redis if it is configured. Requests never wait for the connection. */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisConnection.name);
  private readonly client?: WithRaise;
  private readonly probe?: RedisProbe;
  private upSince?: number;
  private lastError?: Error;
  /** Contains the reasons for the current outage, so that each reason is logged once. */
  private readonly loggedReasons = new Set<string>();

  constructor(
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    if (!environment.REDIS_URL) return;
    const client = createRedisClient(parseRedisUrl(environment.REDIS_URL)) as WithRaise;
    client.defineCommand('gatehouseRaise', { numberOfKeys: 1, lua: RAISE });
    this.client = client;
    for (const event of ['error', 'node error', 'sentinelError'])
      client.on(event, (error: Error) => (this.lastError = error));
    client.on('close', () => this.markDown(this.lastError ?? new Error('Connection is closed.')));
    const limiter = this.limiter('probe');
    this.probe = new RedisProbe(client, {
      count: (key) => this.probeCommands(limiter, key),
      redisKey: (key) => limiter.getKey(key),
      up: () => this.markUp(),
      down: (failure) => this.reportFailure(failure),
    });
    metrics.gauge(
      'gatehouse_redis_up',
      '1 if counters are shared through Redis, 0 if they are kept in memory. Absent without REDIS_URL',
      () => Number(this.state === 'up'),
    );
  }

  get isConfigured(): boolean {
    return this.client !== undefined;
  }

  /** Returns "up" only if counts are shared. A server that responds but accepts no counts is "down". */
  get state(): 'off' | 'up' | 'down' {
    if (!this.client) return 'off';
    return this.upSince === undefined ? 'down' : 'up';
  }

  get downReason(): string | undefined {
    return [...this.loggedReasons].at(-1);
  }

  get uptimeMs(): number {
    return this.upSince === undefined ? 0 : performance.now() - this.upSince;
  }

  /**
   * Waits briefly until Redis is up. Commands need this, because they use Redis right after startup. A refused
   * connection ends the wait, so that a dead Redis does not slow down commands.
   */
  async waitForFirstConnection(): Promise<void> {
    const deadline = performance.now() + FIRST_CONNECTION_MS;
    while (this.state === 'down' && !this.downReason && performance.now() < deadline)
      await pause(20);
  }

  limiter(name: string): RateLimiterRedis {
    return new RateLimiterRedis({
      storeClient: this.client,
      keyPrefix: `${this.environment.REDIS_PREFIX}${name}`,
      // Every call passes its own duration.
      duration: 60,
      points: LOCKED_COUNT,
    });
  }

  set(key: string, count: number, ms: number): Promise<'OK'> {
    return this.client!.set(key, count, 'PX', Math.ceil(ms));
  }

  /** Sends two plain commands instead of MULTI, because the ACL for counters does not allow MULTI. */
  async get(key: string): Promise<{ count: number; msLeft: number } | undefined> {
    const [count, msLeft] = await Promise.all([this.client!.get(key), this.client!.pttl(key)]);
    return count === null ? undefined : { count: Number(count), msLeft: Math.max(0, msLeft) };
  }

  raise(key: string, count: number, ms: number): Promise<number> {
    return this.client!.gatehouseRaise(key, count, Math.max(1, Math.ceil(ms)));
  }

  /** Stops sharing counts after a failed command until the probe has succeeded again. */
  reportFailure(failure: unknown): void {
    this.markDown(failure);
    // This reason is logged if the connection is dropped next.
    this.lastError = failure as Error;
    if ((failure as Error).name === 'ReplyError') this.probe!.reconnect();
  }

  onApplicationShutdown(): void {
    this.probe?.stop();
    this.client?.removeAllListeners('close');
    this.client?.disconnect();
  }

  /** Tries every kind of command until all have succeeded once, because an ACL may allow only some of them. */
  private async probeCommands(limiter: RateLimiterRedis, key: string): Promise<void> {
    await limiter.penalty(key, 1, { customDuration: PROBE_SECONDS });
    if (this.upSince !== undefined) return;
    await this.raise(limiter.getKey(key), 1, PROBE_SECONDS * 1000);
    await this.set(limiter.getKey(key), 1, PROBE_SECONDS * 1000);
    await limiter.delete(key);
  }

  private markUp(): void {
    if (this.upSince !== undefined) return;
    this.upSince = performance.now();
    this.lastError = undefined;
    this.loggedReasons.clear();
    this.logger.log('Redis is up: counters are shared by all instances');
  }

  private markDown(failure: unknown): void {
    const wasUp = this.upSince !== undefined;
    this.upSince = undefined;
    const { lastNodeError, message } = failure as Error & { lastNodeError?: Error };
    const reason = lastNodeError?.message ?? message;
    if (this.loggedReasons.has(reason)) return;
    this.loggedReasons.add(reason);
    const then =
      wasUp || this.loggedReasons.size === 1
        ? '. Counters are kept in memory, separately on each instance'
        : '';
    this.logger.warn(`Redis is down: ${reason}${then}`);
  }
}
