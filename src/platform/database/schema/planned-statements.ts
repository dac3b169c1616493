import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

/** The statements of a migration, without running them. */
export async function plannedStatements(
  migration: MigrationInterface,
  type: DataSource['options']['type'],
): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string) => {
    statements.push(sql);
    return Promise.resolve([]);
  };
  const recorder: Partial<QueryRunner> = {
    dataSource: { options: { type } } as DataSource,
    query: query as QueryRunner['query'],
  };
  await migration.up(recorder as QueryRunner);
  return statements;
}
