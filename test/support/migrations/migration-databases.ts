import type { DataSource } from 'typeorm';
import { expect, inject } from 'vitest';
import type { Environment } from '../../../src/platform/config/environment.js';
import { parseEnvironment } from '../../../src/platform/config/parse-environment.js';
import { createMigrationDataSource } from '../../../src/platform/database/data-source.js';
import { withDataSource } from '../../../src/platform/database/migrate.js';
import { SECRETS } from '../accounts.js';
import { createDatabase } from '../servers/mariadb.js';
import { dumpSchema } from './schema-dump.js';
import { removeFolder, temporaryDataFolder } from '../servers/temporary-folder.js';

const cleanUp: Array<() => unknown> = [];

/** Creates an empty database of the run's kind, which `dropDatabases` removes. */
export async function emptyDatabase(): Promise<Environment> {
  const folder = temporaryDataFolder('migrations');
  cleanUp.push(() => removeFolder(folder));
  const database = inject('database');
  const env: Record<string, string> = { DATA_DIR: folder, ...SECRETS };
  if (database.kind !== 'embedded') {
    const fresh = await createDatabase(database.rootUrl);
    cleanUp.push(fresh.drop);
    env.DATABASE_URL = fresh.url;
  }
  return parseEnvironment(env);
}

export function inDatabase<T>(
  environment: Environment,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  return withDataSource(createMigrationDataSource(environment), work);
}

export const run = (environment: Environment, sql: string) =>
  inDatabase(environment, (dataSource) => dataSource.query(sql));
export const schemaOf = (environment: Environment) => inDatabase(environment, dumpSchema);

/** Expires a dead process's claim, which would otherwise last 30 s. */
export async function expireMigrationClaim(dataSource: DataSource): Promise<void> {
  if (inject('database').kind === 'embedded') return;
  await dataSource
    .query("UPDATE migration_claim SET valid_until = '2000-01-01'")
    .catch((error) => expect(error.driverError.code).toBe('ER_NO_SUCH_TABLE'));
}

export async function tablesOf(environment: Environment): Promise<string[]> {
  const rows: object[] = await run(
    environment,
    inject('database').kind === 'embedded'
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : 'SHOW TABLES',
  );
  return rows.flatMap((row) => Object.values(row) as string[]).toSorted();
}

export async function dropDatabases(): Promise<void> {
  for (const task of cleanUp.splice(0)) await task();
}
