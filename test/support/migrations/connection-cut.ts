import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { vi } from 'vitest';
import { PooledConnection } from '../../../src/platform/database/pooled-connection.js';
import { EmbeddedQueryRunner } from '../../../src/platform/database/embedded-query-runner.js';

const READS = /^\s*(SELECT|SHOW|SET|PRAGMA)\b/i;
const CONTROLS = /^\s*(START TRANSACTION|BEGIN|COMMIT|ROLLBACK)/i;

/** The id of the migration claim, which differs on each run. */
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/**
 * Cuts the connection to the database after a writing statement has succeeded and before its answer arrives. Nothing
 * reaches the database afterwards, as if the process had been killed.
 */
export class ConnectionCut {
  /** Statements that have succeeded. */
  readonly done: string[] = [];
  isOff = false;
  private last = '';

  private constructor(private readonly after: (key: string) => boolean) {}

  /** `after` decides for each statement whether to cut the connection behind it. */
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

  /** Records a statement that has succeeded and returns whether to cut behind it. */
  recordAndCheck(sql: string, values: unknown): boolean {
    if (READS.test(sql)) return false;
    this.done.push(sql);
    // The statement before it identifies a COMMIT.
    const key = CONTROLS.test(sql)
      ? `${this.last} > ${sql}`
      : sql + JSON.stringify(values ?? []).replaceAll(UUID, '');
    if (!CONTROLS.test(sql)) this.last = key;
    this.isOff = this.after(key);
    return this.isOff;
  }
}

function spyOnMysql(cut: ConnectionCut) {
  const { prototype } = PooledConnection;
  const run = Reflect.get(prototype, 'run');
  const lost = () => Object.assign(new Error('cut off'), { code: 'ECONNRESET', fatal: true });
  return vi.spyOn(prototype, 'run').mockImplementation(async function (
    this: PooledConnection,
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
    // SQLite rolls back the transaction of a process that died.
    const { databaseConnection } = this.dataSource.driver as BetterSqlite3Driver;
    if (databaseConnection.inTransaction) databaseConnection.exec('ROLLBACK');
    throw new Error('cut off');
  });
}
