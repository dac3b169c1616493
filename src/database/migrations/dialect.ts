import type { QueryRunner } from 'typeorm';

type Statements = string | string[];

/** Runs the statements of the database at hand: MySQL and MariaDB, or the embedded SQLite. */
export async function inDialect(
  runner: QueryRunner,
  statements: { mysql: Statements; embedded: Statements },
): Promise<void> {
  const embedded = runner.dataSource.options.type === 'better-sqlite3';
  for (const statement of [embedded ? statements.embedded : statements.mysql].flat())
    await runner.query(statement);
}
