import Libsql from 'libsql';
import { createDataSource } from '../../platform/database/data-source.js';
import { MIGRATIONS } from '../../platform/database/migrations/list.js';

/** The tables that the migrations create, according to the migrations themselves. */
export async function listGatehouseTables(): Promise<string[]> {
  const dataSource = createDataSource({
    type: 'better-sqlite3',
    driver: Libsql,
    database: ':memory:',
    migrations: MIGRATIONS,
  });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
    const rows = await dataSource.query<Array<{ name: string }>>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    // Created before the first migration; the embedded database has none.
    return [...rows.map(({ name }) => name), 'migration_claim'];
  } finally {
    await dataSource.destroy();
  }
}
