import type { DataSource } from 'typeorm';
import { isMysql, runStatement } from './statement.js';

export const BATCH_SIZE = 1000;

/** Deletes up to a thousand rows, so that nobody waits for long. Returns whether there may be more. */
export async function deleteBatch(
  dataSource: DataSource,
  table: string,
  condition: string,
  values: unknown[],
): Promise<boolean> {
  const some = `${condition} LIMIT ${BATCH_SIZE}`;
  // SQLite has no LIMIT in DELETE.
  const which = isMysql(dataSource) ? some : `rowid IN (SELECT rowid FROM ${table} WHERE ${some})`;
  const sql = `DELETE FROM ${table} WHERE ${which}`;
  return (await runStatement(dataSource.manager, sql, values)).affected === BATCH_SIZE;
}
