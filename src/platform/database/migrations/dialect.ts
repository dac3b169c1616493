import type { QueryRunner } from 'typeorm';

type Statements = string | string[];

/** One change of the schema, in the SQL of MySQL and MariaDB and in that of the embedded SQLite. */
export interface SchemaChange {
  readonly mysql: Statements;
  readonly embedded: Statements;
}

/** Runs the statements of the database at hand. */
export async function inDialect(runner: QueryRunner, ...changes: SchemaChange[]): Promise<void> {
  const embedded = runner.dataSource.options.type === 'better-sqlite3';
  for (const statement of changes.flatMap((change) => (embedded ? change.embedded : change.mysql)))
    await runner.query(statement);
}

export async function dropTables(runner: QueryRunner, ...tables: string[]): Promise<void> {
  for (const table of tables) await runner.query(`DROP TABLE ${table}`);
}
