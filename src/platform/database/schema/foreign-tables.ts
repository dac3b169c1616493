import type { DataSource } from 'typeorm';
import { plannedStatements } from './planned-statements.js';
import { recordedMigrations } from './schema-current.js';
import { SchemaProblem } from './schema-problem.js';
import { readSchemaStatement, type SchemaStatement } from './schema-statement.js';

interface TableThere {
  readonly comment: string;
  readonly columns: string[];
}

const MIGRATIONS_TABLE = {
  columns: ['id', 'timestamp', 'name'],
  comment: '',
};

/**
 * Tables of another program under names that pending migrations give to ours, each with a free name to move it aside to.
 * A table that a migration left behind when it was cut off is ours: its columns and its comment are those of our statement.
 */
export async function foreignTables(dataSource: DataSource): Promise<Map<string, string>> {
  // Before the list of what was done: meanwhile another instance may migrate.
  const there = await tablesThere(dataSource);
  const migrations = there.get('migrations');
  const otherMigrations = migrations !== undefined && !isSame(migrations, MIGRATIONS_TABLE);
  const done = otherMigrations ? new Set<string>() : await recordedMigrations(dataSource);
  const found = [...(await ours(dataSource, done))]
    .filter(([table, create]) => there.has(table) && !isSame(there.get(table)!, create))
    .map(([table]) => table);
  if (otherMigrations) found.push('migrations');
  return new Map(found.toSorted().map((table) => [table, freeName(`old_${table}`, there)]));
}

/** Refuses, with what to do, before anything is changed. */
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

function isSame(table: TableThere, { columns, comment }: TableThere): boolean {
  return table.comment === comment && table.columns.join() === columns.join();
}

function freeName(wanted: string, taken: Map<string, unknown>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}

/** Tables that pending migrations create, with the statements. */
async function ours(
  dataSource: DataSource,
  done: Set<string>,
): Promise<Map<string, SchemaStatement>> {
  const tables = new Map<string, SchemaStatement>();
  for (const migration of dataSource.migrations.filter(({ name }) => !done.has(name!)))
    for (const sql of await plannedStatements(migration, dataSource.options.type)) {
      const statement = readSchemaStatement(sql);
      if (statement?.verb === 'create table') tables.set(statement.table, statement);
    }
  return tables;
}

async function tablesThere(dataSource: DataSource): Promise<Map<string, TableThere>> {
  const embedded = dataSource.options.type === 'better-sqlite3';
  // Two statements: for a join, MariaDB opens the tables of all databases.
  const tables = await dataSource.query<Array<{ name: string; comment: string }>>(
    embedded
      ? "SELECT name, '' AS comment FROM sqlite_master WHERE type IN ('table', 'view')"
      : `SELECT table_name AS name, table_comment AS comment
          FROM information_schema.tables WHERE table_schema = DATABASE()`,
  );
  const columns = await dataSource.query<Array<{ name: string; field: string }>>(
    embedded
      ? 'SELECT m.name AS name, c.name AS field FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c'
      : `SELECT table_name AS name, column_name AS field
          FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY ordinal_position`,
  );
  const there = new Map<string, TableThere>(
    tables.map(({ name, comment }) => [name, { comment, columns: [] }]),
  );
  for (const { name, field } of columns) there.get(name)?.columns.push(field);
  return there;
}
