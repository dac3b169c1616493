import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { retryConflicts } from './transaction.js';

interface StatementResult {
  affected: number;
  insertId: number;
}

/** What is used of a connection of mysql2's pool. */
interface MysqlConnection {
  query(
    sql: string,
    values: unknown[] | null,
    done: (error: Error | null, result: unknown) => void,
  ): void;
  release(): void;
}

/** Runs a statement that changes rows. In a transaction it bypasses TypeORM, which costs as much as the driver itself. */
export async function runStatement(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<StatementResult> {
  const connection = await transactionConnection(manager);
  if (connection) {
    const result = (await query(connection, sql, values)) as {
      affectedRows: number;
    } & StatementResult;
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
  const connection = await transactionConnection(manager);
  return connection
    ? ((await query(connection, sql, values)) as Row[])
    : manager.query(sql, values);
}

/** The same outside of any transaction, for the busiest. After a conflict, which undid it whole, it is run again. */
export async function selectOutsideTransaction<Row = Record<string, unknown>>(
  dataSource: DataSource,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  if (!isMysql(dataSource)) return dataSource.query(sql, values);
  const driver = dataSource.driver as MysqlDriver;
  return retryConflicts(async () => {
    const connection = (await driver.obtainMasterConnection()) as MysqlConnection;
    try {
      return (await query(connection, sql, values)) as Row[];
    } finally {
      connection.release();
    }
  });
}

export function isMysql({ options }: DataSource): boolean {
  return options.type === 'mariadb';
}

function query(connection: MysqlConnection, sql: string, values: unknown[]): Promise<unknown> {
  // Without values, a statement of thousands of rows is not searched for their places.
  const given = values.length > 0 ? values : null;
  return new Promise((resolve, reject) => {
    connection.query(sql, given, (error, result) => {
      if (error) reject(new QueryFailedError(sql, values, error));
      else resolve(result);
    });
  });
}

/** The driver's connection of a MySQL transaction; undefined outside of one and for the embedded database. */
async function transactionConnection({ queryRunner, dataSource }: EntityManager) {
  if (!queryRunner || !isMysql(dataSource)) return undefined;
  return (await queryRunner.connect()) as MysqlConnection;
}
