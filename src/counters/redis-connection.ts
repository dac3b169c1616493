import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';

// A counter is asked on every request: a Redis that takes longer than this is treated as gone.
const PATIENCE_MS = 250;

/** The Redis of the counters, where one is set. It may be down: nobody waits for it. */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  readonly client?: Redis;
  private readonly logger = new Logger(RedisConnection.name);
  private wasUp?: boolean;

  constructor(environment: Environment, metrics: Metrics) {
    if (!environment.REDIS_URL) return;
    this.client = new Redis(environment.REDIS_URL, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2000,
      commandTimeout: PATIENCE_MS,
      // A hung Redis keeps its connections: dropping ours makes the next requests count in memory at once.
      socketTimeout: PATIENCE_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
    });
    this.client.on('ready', () => this.turned(true));
    this.client.on('close', () => this.turned(false));
    this.client.on('error', (error: Error) => this.logger.debug(error.message));
    const isUp = () => Number(this.state === 'up');
    new Gauge({
      name: 'gatehouse_redis_up',
      help: '1 while the counters are shared through Redis, 0 while they are kept in memory',
      registers: [metrics.registry],
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
    this.client?.disconnect();
  }

  private turned(up: boolean): void {
    if (this.wasUp === up) return;
    this.wasUp = up;
    if (up) this.logger.log('Redis is there: counters are shared by all instances');
    else this.logger.warn('Redis is gone: counters are kept in memory, each instance for itself');
  }
}
