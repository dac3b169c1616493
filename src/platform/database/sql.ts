import {
  type DataSource,
  type EntityManager,
  type FindOneOptions,
  QueryFailedError,
} from 'typeorm';
import type { MysqlDriver, MysqlSession } from './mysql-driver.js';

export const BATCH_SIZE = 1000;
const SECOND_MS = 1000;

interface StatementResult {
  affected: number;
  insertId: number;
}

/** Runs a statement that changes rows. On MySQL it bypasses TypeORM, which costs as much as the driver itself. */
export async function runStatement(
  manager: EntityManager,
  sql: string,
  values: unknown[] = [],
): Promise<StatementResult> {
  const session = await mysqlSession(manager);
  if (session) {
    const result = await throwAsTypeOrm(sql, values, session.run(sql, values));
    const { affectedRows, insertId } = result as { affectedRows: number; insertId: number };
    return { affected: affectedRows, insertId };
  }
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  try {
    const { affected = 0, raw } = await runner.query(sql, values, true);
    // SQLite's driver returns only the id.
    const insertId = typeof raw === 'number' ? raw : (raw as StatementResult).insertId;
    return { affected, insertId };
  } finally {
    if (!manager.queryRunner) await runner.release();
  }
}

/** Returns false, without any change, if the statement would have to wait for a locked row. */
export async function runUnlessLocked(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<boolean> {
  const session = await mysqlSession(manager);
  if (session) return throwAsTypeOrm(sql, values, session.runUnlessLocked(sql, values));
  await runStatement(manager, sql, values);
  return true;
}

/** Runs a statement that reads rows. On MySQL it bypasses TypeORM. */
export async function selectRows<Row = Record<string, unknown>>(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  const session = await mysqlSession(manager);
  if (!session) return manager.query(sql, values);
  return (await throwAsTypeOrm(sql, values, session.run(sql, values))) as Row[];
}

export function isMysql({ options }: DataSource): boolean {
  return options.type === 'mariadb';
}

/** Returns undefined for the embedded database. */
async function mysqlSession({ queryRunner, dataSource }: EntityManager) {
  if (!isMysql(dataSource)) return undefined;
  if (queryRunner) return (await queryRunner.connect()) as MysqlSession;
  return (dataSource.options as { driver: MysqlDriver }).driver.session();
}

/** Wraps an error as TypeORM does, because `isDatabaseUnavailable` recognises the driver's errors only in this form. */
async function throwAsTypeOrm<T>(sql: string, values: unknown[], result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}

/** Divides rows into batches that fit into one statement. */
export function* batchesOf<Row>(rows: Row[], size = BATCH_SIZE): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

/** Deletes up to a thousand rows, so that locks are held only briefly. Returns whether more rows may match. */
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

/**
 * Returns find options that make MySQL read the latest committed rows instead of the transaction's snapshot. The
 * embedded database runs one transaction at a time, so it needs no such option.
 */
export function latestRows(manager: EntityManager): Pick<FindOneOptions, 'lock'> {
  return isMysql(manager.dataSource) ? { lock: { mode: 'pessimistic_read' } } : {};
}

let latest = { second: Number.NaN, text: '' };

/** Formats a time as a string that compares correctly in the SQL of MySQL and SQLite. */
export function sqlTime(time: number | Date): string {
  const at = Math.trunc(Number(time));
  const second = Math.floor(at / SECOND_MS);
  // Formatting is slow and most times are in the current second, so the formatted second is cached.
  if (second !== latest.second) {
    const iso = new Date(second * SECOND_MS).toISOString();
    latest = { second, text: iso.slice(0, 19).replace('T', ' ') };
  }
  return `${latest.text}.${String(at - second * SECOND_MS).padStart(3, '0')}`;
}

/** Converts a time from a driver, which returns a Date or, for SQLite, text in UTC. */
export function toTime(time: unknown): Date | null {
  if (time instanceof Date) return time;
  if (typeof time !== 'string') return null;
  return new Date(time.replace(' ', 'T').replace(/Z?$/, 'Z'));
}

export function toIsoTime(time: unknown): string | null {
  return toTime(time)?.toISOString() ?? null;
}
