import type { DataSource } from 'typeorm';

/** Returns the definition of every table, and the recorded migrations. */
export async function dumpSchema(dataSource: DataSource): Promise<Record<string, string>> {
  const recorded = await dataSource.query<Array<{ name: string }>>('SELECT name FROM migrations');
  const names = recorded.map(({ name }) => name).join();
  if (dataSource.options.type === 'better-sqlite3') {
    const rows = await dataSource.query<Array<{ name: string; sql: string }>>(
      'SELECT name, sql FROM sqlite_master ORDER BY name',
    );
    return { names, ...Object.fromEntries(rows.map(({ name, sql }) => [name, sql])) };
  }
  const tables = await dataSource.query<Array<Record<string, string>>>('SHOW TABLES');
  const dump: Record<string, string> = { names };
  for (const table of tables.flatMap((row) => Object.values(row))) {
    const [row] = await dataSource.query<Array<Record<string, string>>>(
      `SHOW CREATE TABLE \`${table}\``,
    );
    dump[table] = (row!['Create Table'] ?? '').replace(/ AUTO_INCREMENT=\d+/, '');
  }
  return dump;
}
