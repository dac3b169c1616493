import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner, DataSource } from 'typeorm';
import { CODE_ROOT } from '../../config/build-info.js';
import { toSqlite } from './sqlite-table.js';

/** Describes a migration without `down`, because nothing would run it. */
export type Migration = Pick<MigrationInterface, 'name' | 'up'>;

/** Describes a statement that cannot run twice. It is skipped if the query `done` returns a row. */
export interface GuardedStatement {
  readonly sql: string;
  readonly done: string;
}

export interface SchemaChange {
  /** Lists repeatable statements, because MySQL commits each one and a migration can stop halfway. */
  readonly mysql: string | Array<string | GuardedStatement>;
  readonly embedded: string | string[];
}

export function migration(
  name: string,
  ...changes: Array<string | SchemaChange>
): new () => Migration {
  return class {
    readonly name = name;
    readonly up = (runner: QueryRunner) => inDialect(runner, ...changes);
  };
}

/** Reads the `CREATE TABLE` statements of a file in this folder, without the comments between them. */
export function createTables(file: string): string[] {
  const text = readFileSync(join(CODE_ROOT, 'platform/database/migrations', file), 'utf8');
  return text
    .replaceAll(/^ *--.*\n/gm, '')
    .split(/;\n+/)
    .filter(Boolean);
}

/** Runs the statements for the current database. A change given as text is a `CREATE TABLE` for both dialects. */
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

/** Returns a query for `GuardedStatement.done`, which finds the column. */
export function findColumn(table: string, column: string): string {
  return findInSchema(`columns WHERE table_name = '${table}' AND column_name = '${column}'`);
}

export function findKey(table: string, key: string): string {
  return findInSchema(`statistics WHERE table_name = '${table}' AND index_name = '${key}'`);
}

function findInSchema(what: string): string {
  return `SELECT 1 FROM information_schema.${what} AND table_schema = DATABASE() LIMIT 1`;
}

/** Returns the statements with which a migration would change the schema, without running them. */
export async function plannedStatements(
  planned: Migration,
  type: DataSource['options']['type'],
): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string) => {
    if (!/^\s*SELECT\b/i.test(sql)) statements.push(sql);
    return Promise.resolve([]);
  };
  const recorder: Partial<QueryRunner> = {
    dataSource: { options: { type } } as DataSource,
    query: query as QueryRunner['query'],
  };
  await planned.up(recorder as QueryRunner);
  return statements;
}
