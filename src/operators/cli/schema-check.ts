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
import {
  readSchemaStatement,
  type SchemaStatement,
} from '../../platform/database/schema/schema-statement.js';

/** How a statement treats the table: only its description changes, all of it is read, or it is written anew. */
export type Cost = 'at once' | 'reads it' | 'copies it';

export interface PlannedChange {
  readonly migration: string;
  /** Such as `adds gm_host, gm_port`. */
  readonly does: string;
  readonly table: string;
  readonly cost: Cost;
  /** Of the table as it is, about; undefined where it is not there yet. */
  readonly size?: TableSize;
}

export interface TableSize {
  readonly rows: number;
  readonly bytes: number | null;
}

export interface SchemaCheck {
  readonly pending: string[];
  readonly changes: PlannedChange[];
  /** Tables of another program, with names to move them aside to. */
  readonly foreign: Map<string, string>;
}

/** What `migrate` would do. Reads only. */
export async function checkSchema(environment: Environment): Promise<SchemaCheck> {
  return withDataSource(await dataSourceToRead(environment), async (dataSource) => {
    const foreign = await foreignTables(dataSource);
    const pending = await pendingMigrations(dataSource);
    const changes: PlannedChange[] = [];
    for (const migration of dataSource.migrations.filter(({ name }) => pending.includes(name!)))
      for (const sql of await plannedStatements(migration, dataSource.options.type)) {
        const change = describeStatement(sql);
        if (!change) continue;
        const size = await sizeOf(dataSource, change.table);
        changes.push({ migration: migration.name!, ...change, size });
      }
    return { pending, changes, foreign };
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

function describeStatement(sql: string) {
  const statement = readSchemaStatement(sql);
  if (statement)
    return { does: describe(statement), table: statement.table, cost: costOf(statement, sql) };
  const [, table] = /^\s*(?:UPDATE|DELETE FROM|INSERT INTO)\s+[`"]?(\w+)/i.exec(sql) ?? [];
  return table ? { does: 'changes rows', table, cost: 'reads it' as const } : undefined;
}

function describe({ verb, adds, drops, changes }: SchemaStatement): string {
  const named = (parts: Array<{ name: string }>) => parts.map(({ name }) => name).join(', ');
  if (verb === 'create table') return 'creates it';
  const changed = changes.flatMap(
    (change) => /^MODIFY (?:COLUMN )?[`"]?(\w+)/i.exec(change)?.[1] ?? [],
  );
  return [
    adds.length > 0 ? `adds ${named(adds)}` : '',
    changed.length > 0 ? `changes ${changed.join(', ')}` : '',
    drops.length > 0 ? `removes ${named(drops)}` : '',
  ]
    .filter(Boolean)
    .join('; ');
}

function costOf({ verb, adds, changes }: SchemaStatement, sql: string): Cost {
  if (verb === 'create table') return 'at once';
  if (/ALGORITHM ?= ?COPY/i.test(sql)) return 'copies it';
  const scans = verb === 'create index' || adds.some(({ kind }) => kind === 'key');
  return scans || changes.some((change) => /^MODIFY/i.test(change)) ? 'reads it' : 'at once';
}

async function sizeOf(dataSource: DataSource, table: string): Promise<TableSize | undefined> {
  if (dataSource.options.type !== 'better-sqlite3') {
    const [size] = await dataSource.query<Array<{ rows: string; bytes: string }>>(
      `SELECT table_rows AS \`rows\`, data_length + index_length AS bytes
        FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?`,
      [table],
    );
    return size && { rows: Number(size.rows), bytes: Number(size.bytes) };
  }
  const there = await dataSource.query<unknown[]>(
    'SELECT 1 FROM sqlite_master WHERE name = ? AND type = ?',
    [table, 'table'],
  );
  if (there.length === 0) return undefined;
  const [count] = await dataSource.query<Array<{ rows: number }>>(
    `SELECT COUNT(*) AS rows FROM "${table}"`,
  );
  return { rows: count!.rows, bytes: null };
}
