import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner, DataSource } from 'typeorm';
import { CODE_ROOT } from '../../config/build-info.js';
import { toSqlite } from './sqlite-table.js';

/** Describes a migration without `down`, because nothing would run it. */
export interface Migration extends Pick<MigrationInterface, 'name' | 'up'> {
  readonly name: string;
  readonly statements: (isEmbedded: boolean) => Statement[];
}

export interface Statement {
  readonly sql: string;
  /** A statement that cannot run twice has this query, and is skipped if the query returns a row. */
  readonly done?: string;
  /** Says why the previous release keeps working, if `migration-plan.ts` cannot tell from the SQL. */
  readonly survives?: string;
  /** `sql` with `BETWEEN ? AND ?` runs in batches along this key of a table, such as `player.id`. */
  readonly along?: string;
}

export interface SchemaChange {
  /** Lists statements that can be repeated, because MySQL commits each one and a migration can stop halfway. */
  readonly mysql: string | Array<string | Statement>;
  readonly embedded: string | string[];
}

export const BATCH_ROWS = 1000;
/** A Galera node also uses this error to report a conflict with another node. */
const DEADLOCK = 1213;
const MAX_TRIES = 20;

/** A change given as text is a `CREATE TABLE` for both dialects. */
export function migration(
  name: string,
  ...changes: Array<string | SchemaChange>
): new () => Migration {
  return class {
    readonly name = name;
    readonly statements = (isEmbedded: boolean) =>
      changes.flatMap((change) => inDialect(change, isEmbedded));
    readonly up = async (runner: QueryRunner) => {
      const isEmbedded = runner.dataSource.options.type === 'better-sqlite3';
      for (const statement of this.statements(isEmbedded)) await run(runner, statement);
    };
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

function inDialect(change: string | SchemaChange, isEmbedded: boolean): Statement[] {
  const { mysql, embedded } =
    typeof change === 'string' ? { mysql: change, embedded: toSqlite(change) } : change;
  const statements: Array<string | Statement> = [isEmbedded ? embedded : mysql].flat();
  return statements.map((each) => (typeof each === 'string' ? { sql: each } : each));
}

async function run(runner: QueryRunner, { sql, done, along }: Statement): Promise<void> {
  if (done && ((await runner.query(done)) as unknown[]).length > 0) return;
  if (along) await runInBatches(runner, sql, along);
  else await runner.query(sql);
}

/** Commits each batch, so that players wait for the locks of one batch only. An interrupted run starts over. */
async function runInBatches(runner: QueryRunner, sql: string, along: string): Promise<void> {
  const [table, key] = along.split('.');
  const keysAfter = async (last?: string) => {
    const rows: unknown = await runner.query(
      // Keys are text, because drivers round large integers.
      `SELECT CAST(${key} AS CHAR) AS id FROM ${table} ${last === undefined ? '' : `WHERE ${key} > ?`}
        ORDER BY ${table}.${key} LIMIT ${BATCH_ROWS}`,
      last === undefined ? [] : [last],
    );
    return (rows as Array<{ id: string }>).map(({ id }) => id);
  };
  // After this COMMIT, the server commits each statement on its own.
  await runner.query('COMMIT');
  for (let keys = await keysAfter(); keys.length > 0; keys = await keysAfter(keys.at(-1)))
    await untilNotDeadlocked(() => runner.query(sql, [keys[0], keys.at(-1)]));
}

async function untilNotDeadlocked(change: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await change();
      return;
    } catch (error) {
      const { errno } = (error as { driverError?: { errno?: number } }).driverError ?? {};
      if (errno !== DEADLOCK || tries === MAX_TRIES) throw error;
    }
}

/** Returns a query for `Statement.done` that finds the column. */
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
export function plannedStatements(
  { statements }: Migration,
  type: DataSource['options']['type'],
): string[] {
  return statements(type === 'better-sqlite3').map(({ sql }) => sql);
}
