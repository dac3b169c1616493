import { type EntityManager, QueryFailedError } from 'typeorm';

interface Done {
  affected: number;
  insertId: number;
}

type Callback = (error: Error | null, result: unknown) => void;

interface Connection {
  query(sql: string, values: unknown[], done: Callback): void;
}

/** Runs a statement that changes rows. In a transaction it bypasses TypeORM, which costs as much as the driver itself. */
export async function runStatement(
  manager: EntityManager,
  sql: string,
  values: unknown[],
): Promise<Done> {
  const connection = await connectionOf(manager);
  if (connection) {
    const result = (await query(connection, sql, values)) as { affectedRows: number } & Done;
    return { affected: result.affectedRows, insertId: result.insertId };
  }
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  try {
    const { affected = 0, raw } = await runner.query(sql, values, true);
    // SQLite's driver returns the bare id.
    const insertId = typeof raw === 'number' ? raw : (raw as Done).insertId;
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
  const connection = await connectionOf(manager);
  return connection
    ? ((await query(connection, sql, values)) as Row[])
    : manager.query(sql, values);
}

/** The driver's connection of a MySQL transaction; undefined outside of one and for the embedded database. */
async function connectionOf({ queryRunner, dataSource }: EntityManager) {
  if (!queryRunner || dataSource.options.type !== 'mariadb') return undefined;
  return (await queryRunner.connect()) as Connection;
}

function query(connection: Connection, sql: string, values: unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.query(sql, values, (error, result) => {
      if (error) reject(new QueryFailedError(sql, values, error));
      else resolve(result);
    });
  });
}
