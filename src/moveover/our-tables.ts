import Libsql from 'libsql';
import { createDataSource } from '../database/data-source.js';
import { MIGRATIONS } from '../database/migrations/list.js';

/** What the migrations make, asked of the migrations themselves: each table with its columns. */
export async function ourTables(): Promise<Map<string, string[]>> {
  const dataSource = createDataSource({
    type: 'better-sqlite3',
    driver: Libsql,
    database: ':memory:',
    migrations: MIGRATIONS,
  });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
    const rows = await dataSource.query<Array<{ name: string; columns: string }>>(
      `SELECT m.name, group_concat(c.name) AS columns FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' GROUP BY m.name`,
    );
    const tables = new Map(rows.map(({ name, columns }) => [name, columns.split(',')]));
    // Made by hand before the first migration; the embedded database has none.
    return tables.set('migration_claim', ['id', 'holder', 'valid_until']);
  } finally {
    await dataSource.destroy();
  }
}
