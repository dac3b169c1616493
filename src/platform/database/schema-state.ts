import { type DataSource, QueryFailedError } from 'typeorm';
import { type Migration, plannedStatements } from './migrations/dialect.js';

/** Tells the operator why the schema cannot be updated. */
export class SchemaProblem extends Error {}

/** The comment on each of the service's tables starts with this text. */
const OUR_COMMENT = 'Gatehouse: ';
const CREATED_TABLE = /^\s*CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i;
const MIGRATIONS_COLUMNS = ['id', 'timestamp', 'name'];
const NOTHING_RECORDED = new Set<unknown>(['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR']);

/** Returns whether the database has every migration of this release, and no newer one that this release cannot use. */
export async function isSchemaUsable(dataSource: DataSource): Promise<boolean> {
  try {
    await refuseNewerSchema(dataSource);
    return (await pendingMigrations(dataSource)).length === 0;
  } catch {
    return false;
  }
}

/** Returns the migrations of this release with their statements, which TypeORM's type does not have. */
export function migrationsOf(dataSource: DataSource): Migration[] {
  return dataSource.migrations as unknown as Migration[];
}

export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const recorded = await recordedMigrations(dataSource);
  return dataSource.migrations.map(({ name }) => name!).filter((name) => !recorded.has(name));
}

/**
 * Throws an error if a newer release has changed the schema in such a way that this release cannot use it. On MySQL and
 * MariaDB, only a migration whose name begins with `Contract` does this. In the embedded database, any newer migration
 * may do so, because no earlier release runs beside it.
 */
export async function refuseNewerSchema(dataSource: DataSource): Promise<void> {
  const isEmbedded = dataSource.options.type === 'better-sqlite3';
  const newer = (await newerMigrations(dataSource)).filter(
    (name) => isEmbedded || name.startsWith('Contract'),
  );
  if (newer.length === 0) return;
  const [what, earlier] = isEmbedded
    ? ['this data folder', 'copy from its folder `backups`']
    : ['this database', 'backup from before that'];
  throw new SchemaProblem(
    `A newer version of Gatehouse has changed ${what} (${newer.join(', ')}), and nothing was changed now: start that version, or restore the ${earlier}.`,
  );
}

/** Returns the migrations that the database has and this release does not know. */
export async function newerMigrations(dataSource: DataSource): Promise<string[]> {
  const known = new Set(dataSource.migrations.map(({ name }) => name));
  return [...(await recordedMigrations(dataSource))].filter((name) => !known.has(name));
}

/** Returns the migrations that the database has, or none if the table is missing or belongs to another program. */
export async function recordedMigrations(dataSource: DataSource): Promise<Set<string>> {
  try {
    const rows = await dataSource.query<Array<{ name: string }>>('SELECT name FROM migrations');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    const { code, message } = error instanceof QueryFailedError ? error.driverError : ({} as Error);
    if (NOTHING_RECORDED.has(code) || /no such (table|column)/.test(message)) return new Set();
    throw error;
  }
}

/**
 * Finds another program's tables whose names pending migrations need, and an unused name for each. MySQL tables of an
 * interrupted migration have the service's comment, and SQLite rolls back an interrupted migration.
 */
export async function foreignTables(dataSource: DataSource): Promise<Map<string, string>> {
  // The tables are listed before the completed migrations, because another instance may migrate in the meantime.
  const present = await presentTables(dataSource);
  const otherMigrations = present.has('migrations') && !(await hasOurMigrationsTable(dataSource));
  const done = otherMigrations ? new Set<string>() : await recordedMigrations(dataSource);
  const found = tablesToCreate(dataSource, done).filter(
    (table) => present.has(table) && !present.get(table)!.startsWith(OUR_COMMENT),
  );
  if (otherMigrations) found.push('migrations');
  return new Map(found.toSorted().map((table) => [table, freeName(`old_${table}`, present)]));
}

/** Throws an error with instructions if another program's tables are in the way. Changes nothing. */
export async function refuseForeignTables(dataSource: DataSource): Promise<void> {
  const tables = await foreignTables(dataSource);
  if (tables.size > 0) throw new SchemaProblem(describeForeignTables(tables));
}

export function describeForeignTables(tables: Map<string, string>): string {
  const names = [...tables.keys()].map((table) => `\`${table}\``).join(', ');
  const [them, are] = tables.size === 1 ? ['it', 'is'] : ['them', 'are'];
  return (
    `The database has ${names}, which ${are} not Gatehouse's: nothing was changed; adopt ${them} with ` +
    `\`gatehouse import --adopt\`, name another database in DATABASE_URL, or move ${them} aside with ` +
    renameTablesSql(tables)
  );
}

/** Returns one statement, so that either all tables are renamed or none. */
export function renameTablesSql(tables: Map<string, string>): string {
  return `RENAME TABLE ${[...tables].map(([from, to]) => `\`${from}\` TO \`${to}\``).join(', ')};`;
}

function freeName(wanted: string, taken: Map<string, unknown>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}

/** Returns the tables that the migrations create, except for completed migrations. */
export function tablesToCreate(dataSource: DataSource, done: ReadonlySet<string>): string[] {
  return migrationsOf(dataSource)
    .filter(({ name }) => !done.has(name))
    .flatMap((migration) => plannedStatements(migration, dataSource.options.type))
    .flatMap((sql) => CREATED_TABLE.exec(sql)?.[1] ?? []);
}

/** Returns the comment of each table. */
export async function presentTables(dataSource: DataSource): Promise<Map<string, string>> {
  const rows = await dataSource.query<Array<{ name: string; comment: string }>>(
    dataSource.options.type === 'better-sqlite3'
      ? "SELECT name, '' AS comment FROM sqlite_master WHERE type IN ('table', 'view')"
      : `SELECT table_name AS name, table_comment AS comment
          FROM information_schema.tables WHERE table_schema = DATABASE()`,
  );
  return new Map(rows.map(({ name, comment }) => [name, comment]));
}

async function hasOurMigrationsTable(dataSource: DataSource): Promise<boolean> {
  const rows = await dataSource.query<Array<{ name: string }>>(
    dataSource.options.type === 'better-sqlite3'
      ? "SELECT name FROM pragma_table_info('migrations')"
      : `SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = DATABASE() AND table_name = 'migrations'`,
  );
  const columns = rows.map(({ name }) => name);
  return MIGRATIONS_COLUMNS.every((name) => columns.includes(name));
}
