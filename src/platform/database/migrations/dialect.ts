import type { MigrationInterface, QueryRunner } from 'typeorm';
import { toSqlite } from './sqlite-table.js';

/**
 * A collation without padding: utf8mb4_bin ignores trailing spaces. MySQL and MariaDB each execute their own comment.
 */
export const BYTE_FOR_BYTE = '/*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */';

/** Without `down`, which nothing runs. */
export type Migration = Pick<MigrationInterface, 'name' | 'up'>;

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

/** Creates a TypeORM migration from these changes. */
export function migration(
  name: string,
  ...changes: Array<string | SchemaChange>
): new () => Migration {
  return class {
    readonly name = name;
    readonly up = (runner: QueryRunner) => inDialect(runner, ...changes);
  };
}

/** Runs the statements of the database at hand. A `CREATE TABLE` of MySQL alone serves both. */
export async function inDialect(
  runner: QueryRunner,
  ...changes: Array<string | SchemaChange>
): Promise<void> {
  const embedded = runner.dataSource.options.type === 'better-sqlite3';
  const statements = changes.flatMap((change) => {
    if (typeof change === 'string') return embedded ? toSqlite(change) : change;
    return embedded ? change.embedded : change.mysql;
  });
  for (const statement of statements)
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
