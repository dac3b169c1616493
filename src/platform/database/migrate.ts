import type { DataSource } from 'typeorm';
import type { DatabaseHost } from '../config/database-url.js';
import type { Environment } from '../config/environment.js';
import { createTimeLimitedDataSource, createMigrationDataSource } from './data-source.js';
import { isDatabaseUnreachable } from './database-errors.js';
import { copyDatabase, deleteOldCopies } from './database-copies.js';
import { withFileLock, withMigrationClaim } from './migration-lock.js';
import { planMigrations, refuseToStopTheWorld, type SchemaPlan } from './migration-plan.js';
import { PrimaryHost } from './primary-host.js';
import {
  pendingMigrations,
  recordedMigrations,
  refuseForeignTables,
  refuseNewerSchema,
  SchemaProblem,
} from './schema-state.js';

const LOCK_TIMEOUT_SECONDS = 600;
/** Ends a command whose database stops responding. Only a migration may take longer. */
const READ_TIMEOUT_MS = 60_000;

export interface MigrateOptions {
  host?: DatabaseHost;
  /** This is true if the caller retries. If the database does not respond, it then fails in seconds, not in a minute. */
  isRetried?: boolean;
  /** This is true if no instance of an earlier release is running, or if such instances may fail. */
  stopTheWorld?: boolean;
  /** This is called before anything changes, if migrations are pending. */
  onPlan?: (plan: SchemaPlan) => void;
}

/** Runs pending migrations and returns their names. Instances that start together wait for each other. */
export function migrate(environment: Environment, options: MigrateOptions = {}): Promise<string[]> {
  return environment.embedded
    ? withFileLock(environment.DATA_DIR, LOCK_TIMEOUT_SECONDS, () =>
        migrateEmbedded(environment, options),
      )
    : migrateServer(environment, options);
}

/** Runs all migrations in one transaction, so that the earlier release can use the folder if a migration fails. */
function migrateEmbedded(environment: Environment, options: MigrateOptions): Promise<string[]> {
  return withDataSource(createMigrationDataSource(environment), async (dataSource) => {
    await refuseForeignTables(dataSource);
    await refuseNewerSchema(dataSource);
    if ((await pendingMigrations(dataSource)).length === 0) return [];
    options.onPlan?.(await planMigrations(dataSource));
    const isNew = (await recordedMigrations(dataSource)).size === 0;
    const copy = isNew ? undefined : await copyDatabase(dataSource, environment.DATA_DIR);
    const done = await dataSource.runMigrations({ transaction: 'all' }).catch((error: Error) => {
      copy?.delete();
      throw new SchemaProblem(
        `The migrations failed: ${error.message}. The database is as it was before, so the earlier version can still use it.`,
        { cause: error },
      );
    });
    deleteOldCopies(environment.DATA_DIR);
    return done.map(({ name }) => name);
  });
}

async function migrateServer(
  environment: Environment,
  { host, isRetried, stopTheWorld, onPlan }: MigrateOptions,
): Promise<string[]> {
  const writable = await writableHost(environment, host);
  const toRead = isRetried
    ? createTimeLimitedDataSource(environment, writable)
    : createMigrationDataSource(environment, writable, READ_TIMEOUT_MS);
  const pending = await withDataSource(toRead, async (dataSource) => {
    await refuseNewerSchema(dataSource);
    return pendingMigrations(dataSource);
  });
  // If the schema is current, nothing is written, so that the service can start on a read-only server.
  if (pending.length === 0) return [];
  return withDataSource(createMigrationDataSource(environment, writable), async (dataSource) => {
    // This check comes before the claim, because the claim creates a table.
    await refuseForeignTables(dataSource);
    const plan = await planMigrations(dataSource);
    onPlan?.(plan);
    if (!stopTheWorld) refuseToStopTheWorld(plan);
    return withMigrationClaim(dataSource, () => runPending(dataSource));
  });
}

/** Creates a data source without time limits on a host that accepts writes. */
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
      `${name} failed: ${(error as Error).message}. Fix the cause and migrate again; the migration continues where it stopped.`,
      { cause: error },
    );
  }
}
