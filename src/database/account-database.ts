import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import { AccountServers } from './account-servers.js';
import { isDatabaseNotThere } from './database-errors.js';
import { migrate } from './migrate.js';
import { databaseUpGauge, observePool } from './pool-metrics.js';
import { nameOf } from './primary-host.js';
import { writabilityOf } from './writability.js';

/** Provide `false` to leave the schema as it is. */
export const MIGRATES = Symbol('MIGRATES');

const RETRY_MS = 1000;
const FRESH_MS = 1000;

/** Connects to the account database, now or as soon as it is there, and keeps to a host that takes writes. */
@Injectable()
export class AccountDatabase implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(AccountDatabase.name);
  private retry?: NodeJS.Timeout;
  private isClosed = false;
  private watch?: NodeJS.Timeout;
  private looked?: { at: number; isUp: Promise<boolean> };
  private problem?: string;
  private readonly up: Gauge;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly servers: AccountServers,
    metrics: Metrics,
    @Optional() @Inject(MIGRATES) private readonly migrates = true,
  ) {
    observePool(dataSource, metrics);
    this.up = databaseUpGauge(metrics);
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
    if (this.environment.embedded) return;
    this.watch = setInterval(() => void this.isUp(), FRESH_MS).unref();
    this.servers.onRefused = () => void this.isUp();
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    clearInterval(this.watch);
  }

  /** Whether it can be read and written, checked at most once a second however often this is called. */
  isUp(): Promise<boolean> {
    if (this.looked && performance.now() - this.looked.at < FRESH_MS) return this.looked.isUp;
    const looked = { at: Infinity, isUp: this.look() };
    this.looked = looked;
    // One check at a time.
    void looked.isUp.then(() => (looked.at = performance.now()));
    return looked.isUp;
  }

  private async look(): Promise<boolean> {
    if (!this.dataSource.isInitialized) return false;
    const problem = await this.findProblem();
    if (problem !== this.problem)
      this.logger.warn(problem ?? 'the account database takes writes again');
    this.problem = problem;
    this.up.set(Number(problem === undefined));
    return problem === undefined;
  }

  private async findProblem(): Promise<string | undefined> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.query('SELECT 1 FROM migrations LIMIT 1');
      if (this.environment.embedded) return undefined;
      const { problem, isDonor } = await writabilityOf((sql) => runner.query(sql));
      if (isDonor) await this.moveOn();
      if (problem === undefined) return undefined;
      this.servers.reconnect();
      await this.moveOn();
      return `the account database takes no writes: ${problem}`;
    } catch (error) {
      await this.moveOn();
      return `the account database does not answer: ${(error as Error).message}`;
    } finally {
      await runner.release();
    }
  }

  private async moveOn(): Promise<void> {
    try {
      const host = await this.servers.moveOn();
      if (host) this.logger.warn(`the account database is now at ${nameOf(host)}`);
    } catch (error) {
      this.logger.warn((error as Error).message);
    }
  }

  private async connect(): Promise<void> {
    try {
      const host = await this.servers.find();
      const done = this.migrates ? await migrate(this.environment, host) : [];
      if (done.length > 0) this.logger.log(`migrated: ${done.join(', ')}`);
      if (this.isClosed) return;
      await this.dataSource.initialize();
      this.up.set(1);
      // Nobody else does so any more, and its connections would keep the process alive.
      if (this.isClosed) await this.dataSource.destroy();
    } catch (error) {
      if (!isDatabaseNotThere(error)) throw error;
      if (this.isClosed) return;
      const { code, message } = error as NodeJS.ErrnoException;
      this.logger.warn(`the account database is not there, trying again: ${message || code}`);
      this.retry = setTimeout(() => void this.connect(), RETRY_MS);
    }
  }
}
