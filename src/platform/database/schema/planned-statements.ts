import type { DataSource, QueryRunner } from 'typeorm';
import type { Migration } from '../migrations/dialect.js';

const LOOKS_UP = /^\s*SELECT\b/i;

/** The statements of a migration that change something, without running them. */
export async function plannedStatements(
  migration: Migration,
  type: DataSource['options']['type'],
): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string) => {
    if (!LOOKS_UP.test(sql)) statements.push(sql);
    return Promise.resolve([]);
  };
  const recorder: Partial<QueryRunner> = {
    dataSource: { options: { type } } as DataSource,
    query: query as QueryRunner['query'],
  };
  await migration.up(recorder as QueryRunner);
  return statements;
}
