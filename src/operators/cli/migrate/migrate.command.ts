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
import {
  planMigrations,
  type SchemaPlan,
  type StatementPlan,
} from '../../../platform/database/migration-plan.js';
import { refuseForeignTables, refuseNewerSchema } from '../../../platform/database/schema-state.js';

interface MigrateCommandOptions {
  check?: boolean;
  stopTheWorld?: boolean;
}

export async function runMigrate(options: MigrateCommandOptions = {}): Promise<number> {
  try {
    return options.check ? await checkPending() : await runMigrations(options);
  } catch (error) {
    const problems =
      error instanceof ConfigurationError ? error.problems : [describeError(error as Error)];
    console.error('The schema could not be brought up to date:');
    for (const problem of problems) console.error(`  - ${problem}`);
    return 1;
  }
}

async function runMigrations({ stopTheWorld }: MigrateCommandOptions): Promise<number> {
  const environment = loadEnvironment();
  const onPlan = (plan: SchemaPlan) => {
    if (!plan.isEmpty) console.log(`${schemaReport(plan)}\n`);
  };
  const done = await migrate(environment, { stopTheWorld, onPlan });
  console.log(done.length > 0 ? `migrated: ${done.join(', ')}` : 'the schema is up to date');
  return 0;
}

async function checkPending(): Promise<number> {
  const plan = await checkSchema(loadEnvironment());
  console.log(schemaReport(plan));
  if (plan.migrations.length === 0) return 0;
  console.log('\nNothing was changed.');
  return 1;
}

/** Falls back to the error code, because the error of a refused connection has no message. */
function describeError({ message, code }: NodeJS.ErrnoException): string {
  return message || code || 'no reason was given';
}

/** Returns what `migrate` would do. Throws any error with which `migrate` would fail before its first change. */
export async function checkSchema(environment: Environment): Promise<SchemaPlan> {
  return withDataSource(await dataSourceToRead(environment), async (dataSource) => {
    await refuseForeignTables(dataSource);
    await refuseNewerSchema(dataSource);
    return planMigrations(dataSource);
  });
}

async function dataSourceToRead(environment: Environment): Promise<DataSource> {
  if (!environment.embedded) return createWritableDataSource(environment);
  const options = migrationDataSourceOptions(environment);
  // A missing file is replaced by an in-memory database, because SQLite would otherwise create the file.
  const isThere = existsSync(options.database as string);
  return createDataSource(
    isThere ? options : ({ ...options, database: ':memory:' } as typeof options),
  );
}

export function schemaReport({ migrations, newer, isEmbedded, isEmpty }: SchemaPlan): string {
  if (migrations.length === 0)
    return newer.length === 0
      ? 'the schema is up to date'
      : `the schema is up to date, and has migrations of a newer release, with which this one works: ${newer.join(', ')}`;
  const count = `${migrations.length} ${migrations.length === 1 ? 'migration is' : 'migrations are'} pending`;
  const pages = migrations.map(({ name, statements }) =>
    [name, ...statements.map((each) => describeStatement(each, isEmbedded || isEmpty))].join('\n'),
  );
  return [`${count}.`, ...pages, describeEffect(migrations, isEmbedded, isEmpty)].join('\n\n');
}

function describeStatement(plan: StatementPlan, isAlone: boolean): string {
  const { sql, table, rows, effect, danger, survives } = plan;
  const previous = danger
    ? `Instances must be stopped, because ${danger}.`
    : `The previous release keeps working${survives ? `: ${survives}` : ''}.`;
  const size = rows === undefined ? '' : `, about ${rows} rows`;
  return [
    `  ${sql.trim()};`,
    ...(isAlone && rows === undefined
      ? []
      : [`    ${table ?? 'unknown table'}${size}: ${effect}.`]),
    ...(isAlone ? [] : [`    ${previous}`]),
  ].join('\n');
}

function describeEffect(
  migrations: SchemaPlan['migrations'],
  isEmbedded: boolean,
  isEmpty: boolean,
): string {
  if (isEmpty) return 'The database has no players yet, so nobody notices.';
  if (isEmbedded)
    return 'First the database is copied to the folder `backups` of DATA_DIR. Afterwards earlier versions refuse it.';
  const mustStop = migrations.some(({ statements }) => statements.some(({ danger }) => danger));
  return mustStop
    ? 'Stop every instance first, then run this with --stop-the-world.'
    : 'Instances can keep running. Migrations wait for dumps and open transactions.';
}
