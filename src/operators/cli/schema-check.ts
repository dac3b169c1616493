import { existsSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import type { Environment } from '../../platform/config/environment.js';
import {
  createDataSource,
  migrationDataSourceOptions,
} from '../../platform/database/data-source.js';
import { withDataSource, createWritableDataSource } from '../../platform/database/migrate.js';
import { foreignTables } from '../../platform/database/schema/foreign-tables.js';
import { plannedStatements } from '../../platform/database/schema/planned-statements.js';
import { pendingMigrations } from '../../platform/database/schema/schema-current.js';

export interface SchemaCheck {
  readonly pending: Array<{ name: string; statements: string[] }>;
  /** Tables of another program, with free names to rename them to. */
  readonly foreign: Map<string, string>;
}

/** What `migrate` would do. Reads only. */
export async function checkSchema(environment: Environment): Promise<SchemaCheck> {
  return withDataSource(await dataSourceToRead(environment), async (dataSource) => {
    const foreign = await foreignTables(dataSource);
    const names = await pendingMigrations(dataSource);
    const migrations = dataSource.migrations.filter(({ name }) => names.includes(name!));
    const pending = migrations.map(async (migration) => ({
      name: migration.name!,
      statements: await plannedStatements(migration, dataSource.options.type),
    }));
    return { pending: await Promise.all(pending), foreign };
  });
}

async function dataSourceToRead(environment: Environment): Promise<DataSource> {
  if (!environment.embedded) return createWritableDataSource(environment);
  const options = migrationDataSourceOptions(environment);
  // SQLite would create the file.
  const isThere = existsSync(options.database as string);
  return createDataSource(
    isThere ? options : ({ ...options, database: ':memory:' } as typeof options),
  );
}
