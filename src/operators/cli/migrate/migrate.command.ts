import { existsSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import type { Environment } from '../../../platform/config/environment.js';
import { loadEnvironment } from '../../../platform/config/load-configuration.js';
import {
  createDataSource,
  migrationDataSourceOptions,
} from '../../../platform/database/data-source.js';
import {
  createWritableDataSource,
  migrate,
  withDataSource,
} from '../../../platform/database/migrate.js';
import { plannedStatements } from '../../../platform/database/migrations/dialect.js';
import {
  describeForeignTables,
  foreignTables,
  pendingMigrations,
} from '../../../platform/database/schema-state.js';

export type SchemaCheck = Awaited<ReturnType<typeof checkSchema>>;

export async function runMigrate({ check = false } = {}): Promise<number> {
  try {
    return check ? await checkPending() : await runMigrations();
  } catch (error) {
    const problems =
      error instanceof ConfigurationError ? error.problems : [describeError(error as Error)];
    console.error('The schema could not be brought up to date:');
    for (const problem of problems) console.error(`  - ${problem}`);
    return 1;
  }
}

async function runMigrations(): Promise<number> {
  const done = await migrate(loadEnvironment());
  console.log(done.length > 0 ? `migrated: ${done.join(', ')}` : 'the schema is up to date');
  return 0;
}

async function checkPending(): Promise<number> {
  const found = await checkSchema(loadEnvironment());
  console.log(schemaReport(found));
  return found.pending.length > 0 || found.foreign.size > 0 ? 1 : 0;
}

/** Falls back to the code, because a refused connection's error has no message. */
function describeError({ message, code }: NodeJS.ErrnoException): string {
  return message || code || 'no reason was given';
}

/** Finds out what `migrate` would do. `foreign` maps the tables of other programs to free names. */
export async function checkSchema(environment: Environment) {
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
  // A missing file is replaced by an in-memory database, because SQLite would create the file.
  const isThere = existsSync(options.database as string);
  return createDataSource(
    isThere ? options : ({ ...options, database: ':memory:' } as typeof options),
  );
}

export function schemaReport({ pending, foreign }: SchemaCheck): string {
  if (foreign.size > 0) return describeForeignTables(foreign);
  if (pending.length === 0) return 'the schema is up to date';
  return [
    `${pending.length} ${pending.length === 1 ? 'migration is' : 'migrations are'} pending; nothing was changed:`,
    ...pending.map(({ name, statements }) =>
      [name, ...statements.map((sql) => `    ${sql.trim()};`)].join('\n'),
    ),
    'The service keeps running, except that a statement with ALGORITHM=COPY blocks writes to its table. Migrations wait for dumps and open transactions.',
  ].join('\n\n');
}
