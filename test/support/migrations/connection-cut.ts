import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { vi } from 'vitest';
import { MysqlConnection } from '../../../src/platform/database/mysql-connection.js';
import { EmbeddedQueryRunner } from '../../../src/platform/database/embedded-query-runner.js';

const READS = /^\s*(SELECT|SHOW|SET|PRAGMA)\b/i;
const CONTROLS = /^\s*(START TRANSACTION|BEGIN|COMMIT|ROLLBACK)/i;

/** Matches the migration claim's id, which differs on each run. */
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/**
 * Cuts the database connection after a write has succeeded and before its response arrives. Nothing reaches the
 * database afterwards, as if the process had been killed.
 */
export class ConnectionCut {
  readonly done: string[] = [];
  isOff = false;
  private last = '';

  private constructor(private readonly after: (key: string) => boolean) {}

  /** `after` decides for each statement whether to cut the connection after it. */
  static async during(
    after: (key: string) => boolean,
    work: () => Promise<unknown>,
  ): Promise<ConnectionCut> {
    const cut = new ConnectionCut(after);
    const spies = [spyOnMysql(cut), spyOnEmbedded(cut)];
    try {
      await work();
    } catch (error) {
      if (!cut.isOff) throw error;
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return cut;
  }

  /** Records a successful statement and returns whether to cut the connection after it. */
  recordAndCheck(sql: string, values: unknown): boolean {
    if (READS.test(sql)) return false;
    this.done.push(sql);
    // A COMMIT is identified by the statement before it.
    const key = CONTROLS.test(sql)
      ? `${this.last} > ${sql}`
      : sql + JSON.stringify(values ?? []).replaceAll(UUID, '');
    if (!CONTROLS.test(sql)) this.last = key;
    this.isOff = this.after(key);
    return this.isOff;
  }
}

function spyOnMysql(cut: ConnectionCut) {
  const { prototype } = MysqlConnection;
  const run = Reflect.get(prototype, 'run');
  const lost = () => Object.assign(new Error('cut off'), { code: 'ECONNRESET', fatal: true });
  return vi.spyOn(prototype, 'run').mockImplementation(async function (
    this: MysqlConnection,
    sql,
    values,
  ) {
    if (cut.isOff) throw lost();
    const result = await run.call(this, sql, values);
    if (cut.isOff || !cut.recordAndCheck(sql, values)) return result;
    this.destroy();
    throw lost();
  });
}

function spyOnEmbedded(cut: ConnectionCut) {
  const { prototype } = EmbeddedQueryRunner;
  const query = Reflect.get(prototype, 'query') as (...args: unknown[]) => Promise<unknown>;
  return vi.spyOn(prototype, 'query').mockImplementation(async function (
    this: EmbeddedQueryRunner,
    ...args
  ) {
    if (cut.isOff) throw new Error('cut off');
    const result = await query.apply(this, args);
    if (!cut.recordAndCheck(args[0], args[1])) return result;
    // SQLite rolls back a dead process's transaction.
    const { databaseConnection } = this.dataSource.driver as BetterSqlite3Driver;
    if (databaseConnection.inTransaction) databaseConnection.exec('ROLLBACK');
    throw new Error('cut off');
  });
}
