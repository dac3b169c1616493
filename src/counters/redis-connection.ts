import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';

// A counter is asked on every request: a Redis that takes longer than this is treated as gone.
const PATIENCE_MS = 500;
const LOOK_EVERY_MS = 100;

/** The Redis of the counters, where one is set. It may be down: nobody waits for it. */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  readonly client?: Redis;
  private readonly logger = new Logger(RedisConnection.name);
  private readonly watch?: NodeJS.Timeout;
  private wasUp?: boolean;

  constructor(environment: Environment, metrics: Metrics) {
    if (!environment.REDIS_URL) return;
    this.client = new Redis(environment.REDIS_URL, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
    });
    this.client.on('ready', () => this.turned(true));
    this.client.on('close', () => this.turned(false));
    this.client.on('error', (error: Error) => this.logger.debug(error.message));
    this.watch = dropWhenHung(this.client);
    const isUp = () => Number(this.state === 'up');
    new Gauge({
      name: 'gatehouse_redis_up',
      help: '1 while the counters are shared through Redis, 0 while they are kept in memory',
      registers: [metrics.registry],
      // Of all workers: it is not up while one of them counts by itself.
      aggregator: 'min',
      collect() {
        this.set(isUp());
      },
    });
  }

  get state(): 'off' | 'up' | 'down' {
    if (!this.client) return 'off';
    return this.client.status === 'ready' ? 'up' : 'down';
  }

  onApplicationShutdown(): void {
    clearInterval(this.watch);
    this.client?.disconnect();
  }

  private turned(up: boolean): void {
    if (this.wasUp === up) return;
    this.wasUp = up;
    if (up) this.logger.log('Redis is there: counters are shared by all instances');
    else this.logger.warn('Redis is gone: counters are kept in memory, each instance for itself');
  }
}

/**
 * A hung Redis keeps its connections: dropping ours makes everyone count in memory at once. The time-outs of ioredis
 * would do the same to a Redis that has answered, when we are too busy to read it: timers run before sockets are
 * read. A flood of guesses could then be counted by each instance for itself.
 */
function dropWhenHung(client: Redis): NodeJS.Timeout {
  let askedAt: number | undefined;
  const ask = () => (askedAt = performance.now());
  const answered = () => (askedAt = undefined);
  client.on('connect', ask);
  client.on('ready', answered);
  client.on('close', answered);
  return setInterval(() => {
    const asked = askedAt;
    if (asked === undefined) {
      if (client.status !== 'ready') return;
      ask();
      client.ping().then(answered, answered);
    } else if (performance.now() - asked > PATIENCE_MS) {
      // After what has arrived in the meantime was read.
      setImmediate(() => askedAt === asked && client.stream.destroy());
    }
  }, LOOK_EVERY_MS).unref();
}
