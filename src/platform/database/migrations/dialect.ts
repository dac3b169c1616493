import type { QueryRunner } from 'typeorm';

/**
 * A collation without padding: utf8mb4_bin ignores trailing spaces. MySQL and MariaDB each execute their own comment.
 */
export const BYTE_FOR_BYTE = '/*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */';

/** A statement that cannot be run twice; skipped when the query `done` returns a row. */
export interface GuardedStatement {
  readonly sql: string;
  readonly done: string;
}

/** One change of the schema, in the SQL of MySQL and MariaDB and in that of the embedded SQLite. */
export interface SchemaChange {
  /** Every statement must be repeatable: MySQL commits each one, so a migration can stop half-way. */
  readonly mysql: string | Array<string | GuardedStatement>;
  readonly embedded: string | string[];
}

/** Runs the statements of the database at hand. */
export async function inDialect(runner: QueryRunner, ...changes: SchemaChange[]): Promise<void> {
  const embedded = runner.dataSource.options.type === 'better-sqlite3';
  for (const statement of changes.flatMap((change) => (embedded ? change.embedded : change.mysql)))
    if (typeof statement === 'string') await runner.query(statement);
    else if (((await runner.query(statement.done)) as unknown[]).length === 0)
      await runner.query(statement.sql);
}

/** For `GuardedStatement.done`. */
export function findColumn(table: string, column: string): string {
  return findInSchema(`columns WHERE table_name = '${table}' AND column_name = '${column}'`);
}

export function findKey(table: string, key: string): string {
  return findInSchema(`statistics WHERE table_name = '${table}' AND index_name = '${key}'`);
}

function findInSchema(what: string): string {
  return `SELECT 1 FROM information_schema.${what} AND table_schema = DATABASE() LIMIT 1`;
}

export async function dropTables(runner: QueryRunner, ...tables: string[]): Promise<void> {
  for (const table of tables) await runner.query(`DROP TABLE ${table}`);
}
