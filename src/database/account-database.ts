import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import { isDatabaseNotThere } from './database-errors.js';
import { migrate } from './migrate.js';
import { Batcher } from './batcher.js';

/** Provided as false where the schema must be left as it is. */
export const MIGRATES = Symbol('MIGRATES');

const RETRY_MS = 1000;
const FRESH_MS = 1000;

/** Brings the account database up with the service, or, when it is not there yet, as soon as it comes. */
@Injectable()
export class AccountDatabase implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(AccountDatabase.name);
  private retry?: NodeJS.Timeout;
  private looked?: { at: number; isUp: Promise<boolean> };

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    metrics: Metrics,
    @Optional() @Inject(MIGRATES) private readonly migrates = true,
  ) {
    observePool(dataSource, metrics);
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
  }

  /** As of at most a second ago: anybody may ask, and as often as they like. */
  isUp(): Promise<boolean> {
    if (this.looked && performance.now() - this.looked.at < FRESH_MS) return this.looked.isUp;
    const isUp = this.look();
    this.looked = { at: performance.now(), isUp };
    return isUp;
  }

  private async look(): Promise<boolean> {
    if (!this.dataSource.isInitialized) return false;
    return this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  private async connect(): Promise<void> {
    try {
      const done = this.migrates ? await migrate(this.environment) : [];
      if (done.length > 0) this.logger.log(`migrated: ${done.join(', ')}`);
      await this.dataSource.initialize();
    } catch (error) {
      if (!isDatabaseNotThere(error)) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      this.logger.warn(`the account database is not there, trying again: ${message || code}`);
      this.retry = setTimeout(() => void this.connect(), RETRY_MS);
    }
  }
}

interface PoolInside {
  _allConnections: { length: number };
  _freeConnections: { length: number };
  _connectionQueue: { length: number };
}

function observePool(dataSource: DataSource, metrics: Metrics): void {
  const pool = () => (dataSource.driver as { pool?: PoolInside }).pool;
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections to the account database, and requests waiting for one',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const {
        _allConnections: all,
        _freeConnections: free,
        _connectionQueue: queue,
      } = pool() ?? {};
      this.set({ state: 'used' }, (all?.length ?? 0) - (free?.length ?? 0));
      this.set({ state: 'free' }, free?.length ?? 0);
      this.set({ state: 'waiting' }, (queue?.length ?? 0) + Batcher.waitingEverywhere);
    },
  });
}
