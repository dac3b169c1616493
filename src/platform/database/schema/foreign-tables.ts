import type { DataSource } from 'typeorm';
import { plannedStatements } from './planned-statements.js';
import { recordedMigrations } from './schema-current.js';
import { SchemaProblem } from './schema-problem.js';

/** Prefix of the comment on each of our tables. */
const OUR_COMMENT = 'Gatehouse: ';
const CREATED_TABLE = /^\s*CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i;
const MIGRATIONS_COLUMNS = ['id', 'timestamp', 'name'];

/**
 * Tables of another program under names that pending migrations use, each with a free name to rename it to. A table
 * left by an interrupted migration has our comment; SQLite leaves none.
 */
export async function foreignTables(dataSource: DataSource): Promise<Map<string, string>> {
  // Before the list of completed migrations, because another instance may migrate meanwhile.
  const present = await presentTables(dataSource);
  const otherMigrations = present.has('migrations') && !(await hasOurMigrationsTable(dataSource));
  const done = otherMigrations ? new Set<string>() : await recordedMigrations(dataSource);
  const found = (await tablesToCreate(dataSource, done)).filter(
    (table) => present.has(table) && !present.get(table)!.startsWith(OUR_COMMENT),
  );
  if (otherMigrations) found.push('migrations');
  return new Map(found.toSorted().map((table) => [table, freeName(`old_${table}`, present)]));
}

/** Refuses, and says what to do, before anything is changed. */
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

/** One statement, so that all are moved or none. */
export function renameTablesSql(tables: Map<string, string>): string {
  return `RENAME TABLE ${[...tables].map(([from, to]) => `\`${from}\` TO \`${to}\``).join(', ')};`;
}

function freeName(wanted: string, taken: Map<string, unknown>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}

/** Of all migrations but those that are done. */
export async function tablesToCreate(
  dataSource: DataSource,
  done: ReadonlySet<string>,
): Promise<string[]> {
  const pending = dataSource.migrations.filter(({ name }) => !done.has(name!));
  const statements = await Promise.all(
    pending.map((migration) => plannedStatements(migration, dataSource.options.type)),
  );
  return statements.flat().flatMap((sql) => CREATED_TABLE.exec(sql)?.[1] ?? []);
}

/** Tables and views with their comments. */
async function presentTables(dataSource: DataSource): Promise<Map<string, string>> {
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
