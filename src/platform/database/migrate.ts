import type { DataSource } from 'typeorm';
import type { DatabaseHost } from '../config/database-url.js';
import type { Environment } from '../config/environment.js';
import { createTimeLimitedDataSource, createMigrationDataSource } from './data-source.js';
import { isDatabaseUnreachable } from './database-errors.js';
import { withFileLock } from './file-lock.js';
import { withMigrationClaim } from './migration-claim.js';
import { PrimaryHost } from './primary-host.js';
import { refuseForeignTables } from './schema/foreign-tables.js';
import { pendingMigrations } from './schema/schema-current.js';
import { SchemaProblem } from './schema/schema-problem.js';

const LOCK_TIMEOUT_SECONDS = 600;

/** Runs pending migrations and returns their names. Instances that start together wait for each other. */
export function migrate(environment: Environment, host?: DatabaseHost): Promise<string[]> {
  return environment.embedded
    ? withFileLock(environment.DATA_DIR, LOCK_TIMEOUT_SECONDS, () => migrateEmbedded(environment))
    : migrateServer(environment, host);
}

function migrateEmbedded(environment: Environment): Promise<string[]> {
  return withDataSource(createMigrationDataSource(environment), async (dataSource) => {
    await refuseForeignTables(dataSource);
    return runPending(dataSource);
  });
}

async function migrateServer(environment: Environment, host?: DatabaseHost): Promise<string[]> {
  const writable = await writableHost(environment, host);
  // With time limits: a start whose connection goes dark is tried again within seconds.
  const pending = await withDataSource(
    createTimeLimitedDataSource(environment, writable),
    pendingMigrations,
  );
  // Up to date: nothing is claimed or written, so that the service can start on a read-only server.
  if (pending.length === 0) return [];
  return withDataSource(createMigrationDataSource(environment, writable), async (dataSource) => {
    // Before the claim, because creating its table would be a change.
    await refuseForeignTables(dataSource);
    return withMigrationClaim(dataSource, () => runPending(dataSource));
  });
}

/** On a host that accepts writes, without time limits. */
export async function createWritableDataSource(environment: Environment): Promise<DataSource> {
  return createMigrationDataSource(environment, await writableHost(environment));
}

async function writableHost(
  { accountDatabase }: Environment,
  host?: DatabaseHost,
): Promise<DatabaseHost | undefined> {
  return host ?? (accountDatabase && (await new PrimaryHost(accountDatabase).find()));
}

export async function withDataSource<T>(
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

async function runPending(dataSource: DataSource): Promise<string[]> {
  try {
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map(({ name }) => name);
  } catch (error) {
    if (error instanceof SchemaProblem || isDatabaseUnreachable(error)) throw error;
    const [name] = await pendingMigrations(dataSource);
    throw new SchemaProblem(
      `${name} failed: ${(error as Error).message}. Mend the cause and migrate again: it goes on where it stopped.`,
      { cause: error },
    );
  }
}
