import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import type { MysqlDriver, MysqlSession } from './mysql-driver.js';

interface StatementResult {
  affected: number;
  insertId: number;
}

/** Runs a statement that changes rows. On MySQL it bypasses TypeORM, which costs as much as the driver itself. */
export async function runStatement(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<StatementResult> {
  const session = await mysqlSession(manager);
  if (session) {
    const result = (await run(session, sql, values)) as { affectedRows: number } & StatementResult;
    return { affected: result.affectedRows, insertId: result.insertId };
  }
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  try {
    const { affected = 0, raw } = await runner.query(sql, values, true);
    // SQLite's driver returns the bare id.
    const insertId = typeof raw === 'number' ? raw : (raw as StatementResult).insertId;
    return { affected, insertId };
  } finally {
    if (!manager.queryRunner) await runner.release();
  }
}

/** The same for a statement that reads. */
export async function selectRows<Row = Record<string, unknown>>(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  const session = await mysqlSession(manager);
  return session ? ((await run(session, sql, values)) as Row[]) : manager.query(sql, values);
}

export function isMysql({ options }: DataSource): boolean {
  return options.type === 'mariadb';
}

/** Undefined for the embedded database. */
async function mysqlSession({ queryRunner, dataSource }: EntityManager) {
  if (!isMysql(dataSource)) return undefined;
  if (queryRunner) return (await queryRunner.connect()) as MysqlSession;
  return (dataSource.options as { driver: MysqlDriver }).driver.session();
}

async function run(session: MysqlSession, sql: string, values: unknown[]): Promise<unknown> {
  try {
    return await session.run(sql, values);
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}
