import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import { AccountDatabaseHosts } from './account-database-hosts.js';
import { isDatabaseUnreachable } from './database-errors.js';
import { migrate } from './migrate.js';
import { registerPoolMetrics } from './pool-metrics.js';
import { formatHost } from './primary-host.js';
import { checkWritability } from './writability.js';

/** Provide `false` to leave the schema unchanged. */
export const RUN_MIGRATIONS = Symbol('RUN_MIGRATIONS');

const RETRY_MS = 1000;
const CHECK_EVERY_MS = 1000;

/** Connects to the account database, now or as soon as it answers, and stays on a host that accepts writes. */
@Injectable()
export class AccountDatabase implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(AccountDatabase.name);
  private retry?: NodeJS.Timeout;
  private isClosed = false;
  private watch?: NodeJS.Timeout;
  private lastCheck?: { at: number; isUp: Promise<boolean> };
  private problem?: string;
  /** The result of the last check, so that a scrape does not wait for a hanging server. */
  private wasUp = false;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly hosts: AccountDatabaseHosts,
    metrics: Metrics,
    @Optional() @Inject(RUN_MIGRATIONS) private readonly runMigrations = true,
  ) {
    registerPoolMetrics(hosts, metrics);
    metrics.gauge('gatehouse_database_up', '1: the account database can be read and written', () =>
      Number(this.wasUp),
    );
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
    if (this.environment.embedded) return;
    // Separately: a hanging host delays the check of all hosts, but not that of the current one.
    const { primary } = this.hosts;
    const check = () =>
      void Promise.all([this.isUp(), primary?.hasAlternatives && primary.checkAll()]);
    this.watch = setInterval(check, CHECK_EVERY_MS).unref();
    this.hosts.onWriteRefused = () => void this.isUp();
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    clearInterval(this.watch);
  }

  /** Whether it can be read and written, checked at most once a second however often this is called. */
  isUp(): Promise<boolean> {
    if (this.lastCheck && performance.now() - this.lastCheck.at < CHECK_EVERY_MS)
      return this.lastCheck.isUp;
    const check = { at: Infinity, isUp: this.check() };
    this.lastCheck = check;
    // One check at a time.
    void check.isUp.then(() => (check.at = performance.now()));
    return check.isUp;
  }

  private async check(): Promise<boolean> {
    if (!this.dataSource.isInitialized) return false;
    const problem = await this.findProblem();
    if (problem !== this.problem)
      this.logger.warn(problem ?? 'the account database takes writes again');
    this.problem = problem;
    return (this.wasUp = problem === undefined);
  }

  private async findProblem(): Promise<string | undefined> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.query('SELECT 1 FROM migrations LIMIT 1');
      if (this.environment.embedded) return undefined;
      const { problem, isDonor } = await checkWritability((sql) => runner.query(sql));
      if (isDonor) await this.failOver();
      if (problem === undefined) return this.hosts.primary?.conflict;
      this.hosts.reconnect();
      await this.failOver();
      return `the account database takes no writes: ${problem}`;
    } catch (error) {
      await this.failOver();
      return `the account database does not answer: ${(error as Error).message}`;
    } finally {
      await runner.release();
    }
  }

  private async failOver(): Promise<void> {
    try {
      const host = await this.hosts.failOver();
      if (host) this.logger.warn(`the account database is now at ${formatHost(host)}`);
    } catch (error) {
      this.logger.warn((error as Error).message);
    }
  }

  private async connect(): Promise<void> {
    try {
      const host = await this.hosts.primary?.find();
      const done = this.runMigrations ? await migrate(this.environment, host) : [];
      if (done.length > 0) this.logger.log(`migrated: ${done.join(', ')}`);
      if (this.isClosed) return;
      await this.dataSource.initialize();
      this.wasUp = true;
      // Nobody else closes it any more, and its connections would keep the process alive.
      if (this.isClosed) await this.dataSource.destroy();
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error;
      if (this.isClosed) return;
      const { code, message } = error as NodeJS.ErrnoException;
      this.logger.warn(`cannot use the account database yet, trying again: ${message || code}`);
      this.retry = setTimeout(() => void this.connect(), RETRY_MS);
    }
  }
}
