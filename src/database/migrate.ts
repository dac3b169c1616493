import { QueryFailedError, type DataSource } from 'typeorm';
import type { DatabaseHost } from '../config/database-url.js';
import type { Environment } from '../config/environment.js';
import { createDataSource, patientDataSourceOptions } from './data-source.js';
import { underFileLock } from './file-lock.js';
import { underMigrationClaim } from './migration-claim.js';
import { PrimaryHost } from './primary-host.js';

const LOCK_SECONDS = 600;

/** Runs pending migrations and returns their names. Instances that start together wait for each other. */
export function migrate(environment: Environment, host?: DatabaseHost): Promise<string[]> {
  return environment.embedded
    ? underFileLock(environment.DATA_DIR, LOCK_SECONDS, () => migrateEmbedded(environment))
    : migrateServer(environment, host);
}

function migrateEmbedded(environment: Environment): Promise<string[]> {
  return connected(createDataSource(patientDataSourceOptions(environment)), run);
}

async function migrateServer(environment: Environment, host?: DatabaseHost): Promise<string[]> {
  const { servers } = environment;
  const writable = host ?? (servers && (await new PrimaryHost(servers).find()));
  const options = patientDataSourceOptions(environment, writable);
  return connected(createDataSource(options), async (dataSource) =>
    (await isUpToDate(dataSource)) ? [] : underMigrationClaim(dataSource, () => run(dataSource)),
  );
}

async function connected<T>(
  dataSource: DataSource,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function run(dataSource: DataSource): Promise<string[]> {
  const done = await dataSource.runMigrations({ transaction: 'each' });
  return done.map(({ name }) => name);
}

/** Up to date: nothing is claimed or written, so that the service can start on a server that is read-only for now. */
async function isUpToDate(dataSource: DataSource): Promise<boolean> {
  try {
    const rows = await dataSource.query<Array<{ name: string }>>('SELECT name FROM migrations');
    const done = new Set(rows.map(({ name }) => name));
    return dataSource.migrations.every(({ name }) => name !== undefined && done.has(name));
  } catch (error) {
    const { code } = error instanceof QueryFailedError ? error.driverError : {};
    if (code === 'ER_NO_SUCH_TABLE') return false;
    throw error;
  }
}
