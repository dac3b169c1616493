import type { DataSource } from 'typeorm';
import { sqlTime } from './sql-time.js';

const BITE = 1000;

/**
 * Deletes the rows whose time lies before, in bites that hold nobody up. Any number of instances may do it at
 * once: each row is deleted by whoever comes first.
 */
export async function deleteOldRows(
  dataSource: DataSource,
  table: string,
  column: string,
  before: number,
): Promise<void> {
  const embedded = dataSource.options.type === 'better-sqlite3';
  const statement = `DELETE FROM ${table} WHERE ${column} < ?${embedded ? '' : ` LIMIT ${BITE}`}`;
  for (;;) {
    const { affectedRows = 0 } = await dataSource.query<{ affectedRows?: number }>(statement, [
      sqlTime(before),
    ]);
    if (embedded || affectedRows < BITE) return;
  }
}
