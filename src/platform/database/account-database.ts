import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DatabaseHost } from '../config/database-url.js';
import { Environment } from '../config/environment.js';
import { monotonicClock } from '../config/time.js';
import { Metrics } from '../metrics/metrics.js';
import { accountDatabaseQueue } from './batcher.js';
import { timeLimitedDriver } from './data-source.js';
import { DatabaseClock } from './database-clock.js';
import { isDatabaseUnreachable } from './database-errors.js';
import { migrate } from './migrate.js';
import type { MysqlDriver } from './mysql-driver.js';
import { formatHost, PrimaryHost } from './primary-host.js';
import { checkWritability, findDurabilityProblem } from './writability.js';

/** Identifies a provider whose value `false` leaves the schema unchanged. */
export const RUN_MIGRATIONS = Symbol('RUN_MIGRATIONS');

const RETRY_MS = 1000;
const CHECK_EVERY_MS = 1000;
const DURABILITY_EVERY_MS = 60_000;

/** Holds the hosts of the account database and the connection pool. The embedded database has neither. */
@Injectable()
export class AccountDatabaseHosts {
  /** The pool calls this when the server has rejected a statement because it accepts no writes. */
  onWriteRefused: () => void = () => undefined;

  readonly driver?: MysqlDriver;
  readonly primary?: PrimaryHost;

  constructor({ accountDatabase }: Environment) {
    if (!accountDatabase) return;
    const primary = new PrimaryHost(accountDatabase);
    this.primary = primary;
    this.driver = timeLimitedDriver(() => primary.current, {
      writeProblem: () => primary.conflict,
      onWriteRefused: () => this.onWriteRefused(),
    });
  }

  /** Switches to a host that accepts writes. Returns the new host, or undefined if the host did not change. */
  async failOver(): Promise<DatabaseHost | undefined> {
    if (!this.primary) return undefined;
    const before = this.primary.current;
    const host = await this.primary.find();
    if (host === before) return undefined;
    this.driver?.pool?.switchTo(host);
    return host;
  }

  /** Drops all connections, because the same host name may now point to another server. */
  reconnect(): void {
    if (this.primary) this.driver?.pool?.switchTo(this.primary.current);
  }
}

/** Connects to the account database, retries until it responds, and keeps to a host that accepts writes. */
@Injectable()
export class AccountDatabase implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(AccountDatabase.name);
  private retry?: NodeJS.Timeout;
  private isClosed = false;
  private watch?: NodeJS.Timeout;
  private lastCheck?: { at: number; isUp: Promise<boolean> };
  private problem?: string;
  private durabilityProblem?: string;
  private durabilityDue = -Infinity;
  /** A scrape reads the result of the last check, so that it does not wait for a hanging server. */
  private wasUp = false;

  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly hosts: AccountDatabaseHosts,
    private readonly clock: DatabaseClock,
    metrics: Metrics,
    @Optional() @Inject(RUN_MIGRATIONS) private readonly runMigrations = true,
  ) {
    metrics.gauge(
      'gatehouse_database_up',
      '1 if the account database can be read and written',
      () => Number(this.wasUp),
    );
    metrics.gauges(
      'gatehouse_database_connections',
      'Connections to the account database (used, free) and requests waiting for one (waiting)',
      'state',
      () => {
        const { used = 0, free = 0, waiting = 0 } = hosts.driver?.pool?.counts ?? {};
        return { used, free, waiting: waiting + accountDatabaseQueue.waiting };
      },
    );
    metrics.gauge(
      'gatehouse_database_primaries',
      'Hosts that accept writes, if DATABASE_URL names several; a cluster counts as one. Above 1, nothing is written',
      () => hosts.primary?.writableHosts.length ?? 0,
    );
    metrics.gauge(
      'gatehouse_database_risky_durability',
      '1 if the account database may lose its last commits in a crash',
      () => Number(this.durabilityProblem !== undefined),
    );
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
    if (this.environment.embedded) return;
    // These two checks run independently, because a hanging host delays the check of all hosts.
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

  /** Returns whether the database can be read and written. It runs one check at a time, and at most one per second. */
  isUp(): Promise<boolean> {
    if (this.lastCheck && performance.now() - this.lastCheck.at < CHECK_EVERY_MS)
      return this.lastCheck.isUp;
    const check = { at: Infinity, isUp: this.check() };
    this.lastCheck = check;
    void check.isUp.then(() => (check.at = performance.now()));
    return check.isUp;
  }

  private async check(): Promise<boolean> {
    if (!this.dataSource.isInitialized) return false;
    const problem = await this.findProblem();
    if (problem !== this.problem)
      this.logger.warn(problem ?? 'the account database accepts writes again');
    this.problem = problem;
    if (problem === undefined) void this.checkDurability();
    return (this.wasUp = problem === undefined);
  }

  private async findProblem(): Promise<string | undefined> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await this.clock.measure((clock) =>
        runner.query(`SELECT ${clock} AS now FROM migrations LIMIT 1`),
      );
      if (this.environment.embedded) return undefined;
      const { problem, isDonor } = await checkWritability((sql) => runner.query(sql));
      if (isDonor) await this.failOver();
      if (problem === undefined) return this.hosts.primary?.conflict;
      this.hosts.reconnect();
      await this.failOver();
      return `the account database accepts no writes: ${problem}`;
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

  /** Reads the server's settings once a minute, because a failover or an operator may change them. */
  private async checkDurability(): Promise<void> {
    const now = monotonicClock.now();
    if (this.environment.embedded || now < this.durabilityDue) return;
    this.durabilityDue = now + DURABILITY_EVERY_MS;
    try {
      const problem = await findDurabilityProblem((sql) => this.dataSource.query(sql));
      if (problem && problem !== this.durabilityProblem)
        this.logger.warn(`RiskyDurability: ${problem}`);
      this.durabilityProblem = problem;
    } catch (error) {
      this.logger.debug(`cannot read the settings of the database: ${(error as Error).message}`);
    }
  }

  private async connect(): Promise<void> {
    try {
      const host = await this.hosts.primary?.find();
      const options = { host, isRetried: true };
      const done = this.runMigrations ? await migrate(this.environment, options) : [];
      if (done.length > 0) this.logger.log(`migrated: ${done.join(', ')}`);
      if (this.isClosed) return;
      await this.dataSource.initialize();
      // If reading the clock fails, the next check reads it.
      await this.clock.skewMs().catch(() => undefined);
      this.wasUp = true;
      // Shutdown has already run, so it would not close another pool, whose connections would keep the process alive.
      if (this.isClosed) await this.dataSource.destroy();
      else void this.checkDurability();
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error;
      if (this.isClosed) return;
      const { code, message } = error as NodeJS.ErrnoException;
      this.logger.warn(`cannot use the account database yet, trying again: ${message || code}`);
      this.retry = setTimeout(() => void this.connect(), RETRY_MS);
    }
  }
}
