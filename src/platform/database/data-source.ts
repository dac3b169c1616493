import { join } from 'node:path';
import Libsql from 'libsql';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import type { MysqlDriver as TypeOrmMysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import type { DatabaseHost, DatabaseTarget } from '../config/database-url.js';
import type { Environment } from '../config/environment.js';
import { EmbeddedQueryRunner } from './embedded-query-runner.js';
import { MigrationQueryRunner } from './migration-lock.js';
import { MIGRATIONS } from './migrations/list.js';
import { prepareMigrationSession, prepareSession } from './mysql-connection.js';
import { MysqlDriver } from './mysql-driver.js';
import type { PoolSettings } from './mysql-pool.js';
import { FifoLock } from './row-queue.js';
import { MIGRATION_CONNECTION_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './time-limits.js';

const COMMON_OPTIONS = { migrations: MIGRATIONS, synchronize: false, logging: false } as const;

const CONNECTIONS = { connections: 12, writes: 10, locks: 8, spare: 24 };

/** Creates the driver for everything except migrations. */
export function timeLimitedDriver(
  host?: () => DatabaseHost,
  hooks: Pick<PoolSettings, 'writeProblem' | 'onWriteRefused'> = {},
): MysqlDriver {
  const limits = { ...CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return new MysqlDriver({ ...limits, ...hooks, prepare: prepareSession }, host);
}

export function dataSourceOptions(
  environment: Environment,
  driver?: MysqlDriver,
): DataSourceOptions {
  const { accountDatabase } = environment;
  return accountDatabase
    ? serverOptions(accountDatabase, driver)
    : embeddedOptions(environment.DATA_DIR);
}

/** By default, statements have no time limit, because migrating a large table may take minutes. */
export function migrationDataSourceOptions(
  environment: Environment,
  host?: DatabaseHost,
  statementTimeoutMs?: number,
): DataSourceOptions {
  const options = dataSourceOptions(environment);
  if (options.type !== 'mariadb') return options;
  const driver = new MysqlDriver({
    ...CONNECTIONS,
    connectionTimeoutMs: MIGRATION_CONNECTION_TIMEOUT_MS,
    statementTimeoutMs,
    prepare: prepareMigrationSession,
  });
  return { ...options, ...host, driver };
}

/** Creates a data source for migrations, which waits for tables that other sessions use. */
export function createMigrationDataSource(
  environment: Environment,
  host?: DatabaseHost,
  statementTimeoutMs?: number,
): DataSource {
  const options = migrationDataSourceOptions(environment, host, statementTimeoutMs);
  const dataSource = createDataSource(options);
  if (environment.embedded) return dataSource;
  const driver = dataSource.driver as TypeOrmMysqlDriver;
  driver.createQueryRunner = (mode) => new MigrationQueryRunner(driver, mode);
  return dataSource;
}

/** Creates a data source with the service's time limits, for checks before the pool exists. */
export function createTimeLimitedDataSource(
  environment: Environment,
  host?: DatabaseHost,
): DataSource {
  const driver = timeLimitedDriver(host && (() => host));
  return createDataSource(dataSourceOptions(environment, driver));
}

export function createDataSource(options: DataSourceOptions): DataSource {
  const dataSource = new DataSource(options);
  if (options.type === 'better-sqlite3') {
    const driver = dataSource.driver as BetterSqlite3Driver;
    const lock = new FifoLock();
    driver.createQueryRunner = () => new EmbeddedQueryRunner(driver, lock);
  }
  return dataSource;
}

function serverOptions(target: DatabaseTarget, driver?: MysqlDriver): DataSourceOptions {
  const [host] = target.hosts;
  return {
    ...COMMON_OPTIONS,
    // This type also works for MySQL. With `mysql`, MariaDB's defaults would look like schema drift.
    type: 'mariadb',
    ...host,
    username: target.user,
    password: target.password,
    database: target.database,
    ssl: target.ssl,
    driver,
    charset: 'utf8mb4',
    timezone: 'Z',
  };
}

function embeddedOptions(folder: string): DataSourceOptions {
  return {
    ...COMMON_OPTIONS,
    type: 'better-sqlite3',
    driver: Libsql,
    database: join(folder, 'gatehouse.sqlite'),
    prepareDatabase: prepareEmbedded,
  };
}

/** Keeps SQLite's own wait short, because it blocks the event loop. The query runner waits for locks instead. */
function prepareEmbedded(database: { pragma: (statement: string) => unknown }): void {
  database.pragma('journal_mode = WAL');
  database.pragma('busy_timeout = 20');
}
