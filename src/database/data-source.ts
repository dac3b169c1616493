import { join } from 'node:path';
import Libsql from 'libsql';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import type { Environment } from '../config/environment.js';
import { boundedMysql } from './bounded-mysql.js';
import { EmbeddedQueryRunner } from './embedded-query-runner.js';
import { MIGRATIONS } from './migrations/list.js';
import { CONNECTION_WAIT_MS } from './time-limits.js';
import { FifoLock } from './fifo-lock.js';

/** The one description of the account database, for the service, its migrations and its tests. */
export function dataSourceOptions(environment: Environment): DataSourceOptions {
  const shared = { migrations: MIGRATIONS, synchronize: false, logging: false } as const;
  if (environment.DATABASE_URL === undefined)
    return {
      ...shared,
      type: 'better-sqlite3',
      driver: Libsql,
      database: join(environment.DATA_DIR, 'gatehouse.sqlite'),
      prepareDatabase: prepareEmbedded,
    };
  return {
    ...shared,
    // Serves MySQL as well; the other way round, MariaDB's defaults would look like drift.
    type: 'mariadb',
    url: environment.DATABASE_URL.replace(/^mariadb:/, 'mysql:'),
    driver: boundedMysql,
    charset: 'utf8mb4',
    timezone: 'Z',
  };
}

/** SQLite waits for another process's lock by standing still, and all of this process with it: the runner waits instead. */
function prepareEmbedded(database: { pragma: (statement: string) => unknown }): void {
  database.pragma('journal_mode = WAL');
  database.pragma('busy_timeout = 20');
}

/** For migrations, which may take as long as a large table needs: the same database without the time limits. */
export function patientDataSourceOptions(environment: Environment): DataSourceOptions {
  const options = dataSourceOptions(environment);
  return options.type === 'mariadb'
    ? { ...options, driver: undefined, connectTimeout: CONNECTION_WAIT_MS }
    : options;
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
