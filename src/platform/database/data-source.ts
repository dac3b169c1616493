import { join } from 'node:path';
import Libsql from 'libsql';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import type { MysqlDriver as TypeOrmMysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import type { DatabaseHost, DatabaseTarget } from '../config/database-url.js';
import type { Environment } from '../config/environment.js';
import { EmbeddedQueryRunner } from './embedded-query-runner.js';
import { FifoLock } from './fifo-lock.js';
import { MIGRATIONS } from './migrations/list.js';
import { MysqlDriver } from './mysql-driver.js';
import type { PoolSettings } from './mysql-pool.js';
import { MigrationQueryRunner } from './schema/migration-query-runner.js';
import { prepareMigrationSession, prepareSession } from './mysql-session.js';
import { MIGRATION_CONNECTION_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './time-limits.js';

const COMMON_OPTIONS = { migrations: MIGRATIONS, synchronize: false, logging: false } as const;

const CONNECTIONS = { connections: 12, writes: 10, locks: 8 };

/** For everything but migrations. */
export function timeLimitedDriver(
  host?: () => DatabaseHost,
  hooks: Pick<PoolSettings, 'writeProblem' | 'onWriteRefused'> = {},
): MysqlDriver {
  const limits = { ...CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return new MysqlDriver({ ...limits, ...hooks, prepare: prepareSession }, host);
}

function migrationDriver(): MysqlDriver {
  return new MysqlDriver({
    ...CONNECTIONS,
    connectionTimeoutMs: MIGRATION_CONNECTION_TIMEOUT_MS,
    prepare: prepareMigrationSession,
  });
}

/** Describes the account database for the service, its migrations and its tests. */
export function dataSourceOptions(
  environment: Environment,
  driver?: MysqlDriver,
): DataSourceOptions {
  const { accountDatabase } = environment;
  return accountDatabase
    ? serverOptions(accountDatabase, driver)
    : embeddedOptions(environment.DATA_DIR);
}

/** The same database without time limits, for migrations of large tables. */
export function migrationDataSourceOptions(
  environment: Environment,
  host?: DatabaseHost,
): DataSourceOptions {
  const options = dataSourceOptions(environment);
  return options.type === 'mariadb' ? { ...options, ...host, driver: migrationDriver() } : options;
}

/** For migrations: waits for tables that others use. */
export function createMigrationDataSource(
  environment: Environment,
  host?: DatabaseHost,
): DataSource {
  const dataSource = createDataSource(migrationDataSourceOptions(environment, host));
  if (environment.embedded) return dataSource;
  const driver = dataSource.driver as TypeOrmMysqlDriver;
  driver.createQueryRunner = (mode) => new MigrationQueryRunner(driver, mode);
  return dataSource;
}

/** For checks before the pool exists, with the same time limits. */
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
    // Works for MySQL too; with type mysql, MariaDB's defaults would look like schema drift.
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

/** SQLite waits for another process's lock synchronously, blocking the event loop; the query runner waits instead. */
function prepareEmbedded(database: { pragma: (statement: string) => unknown }): void {
  database.pragma('journal_mode = WAL');
  database.pragma('busy_timeout = 20');
}
