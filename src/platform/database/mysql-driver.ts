import { EventEmitter } from 'node:events';
import { callbackify } from 'node:util';
import type { ConnectionOptions } from 'mysql2';
import type { DatabaseHost } from '../config/database-url.js';
import { log } from '../log/log.js';
import {
  DatabaseStatementTimeout,
  isConflict,
  isInterruption,
  NoDatabaseConnection,
} from './database-errors.js';
import { MysqlPool, type PoolSettings, type Use } from './mysql-pool.js';
import type { MysqlConnection } from './mysql-connection.js';
import { retryConflicts } from './transaction.js';

// Even on a busy server, normal statements take less than this. Interrupting them would only add work.
const INTERRUPT_MS = 200;
const READS = /^[\s(]*(SELECT|WITH|SHOW)\b/i;
const INSERTS = /^\s*INSERT\b/i;
const BEGINS_TRANSACTION = /^\s*(START|SET) TRANSACTION\b/i;
const ROLLS_BACK = /^\s*ROLLBACK\s*$/i;
const ENDS_TRANSACTION = /^\s*(COMMIT|ROLLBACK)\s*$/i;

/** Adds time limits, retries and a limit on writes to mysql2. TypeORM uses this class as its MySQL driver. */
export class MysqlDriver {
  pool?: MysqlPool;

  constructor(
    private readonly settings: PoolSettings,
    /** Returns the host of the first connections, if it differs from the host in TypeORM's options. */
    private readonly host?: () => DatabaseHost,
  ) {}

  createPool(options: ConnectionOptions) {
    const pool = new MysqlPool({ ...options, ...this.host?.() }, this.settings);
    // TypeORM requests one connection to check whether the server is reachable.
    const connected = pool.use('read', () => Promise.resolve());
    this.pool = pool;
    return {
      getConnection: callbackify(() => connected.then(() => new MysqlSession(pool))),
      end: callbackify(() => pool.end()),
    };
  }

  /** Returns a session for statements that bypass TypeORM. */
  session(): MysqlSession {
    if (!this.pool) throw new NoDatabaseConnection(new Error('not connected yet'));
    return new MysqlSession(this.pool);
  }
}

/**
 * Takes a connection for each single statement, and keeps one connection for a whole transaction. The class is an
 * EventEmitter, because TypeORM listens for 'error' on the result of getConnection.
 */
export class MysqlSession extends EventEmitter {
  private connection?: MysqlConnection;

  constructor(private readonly pool: MysqlPool) {
    super();
  }

  /** A single statement is retried after a conflict, which has rolled it back. */
  async run(sql: string, values?: unknown[]): Promise<unknown> {
    if (this.connection) return this.runInTransaction(this.connection, sql, values);
    // TypeORM rolls back after any error, even if the transaction got no connection or has already ended.
    if (ROLLS_BACK.test(sql)) return undefined;
    if (!BEGINS_TRANSACTION.test(sql))
      return retryConflicts(() =>
        this.pool.use(useOf(sql), (connection) => connection.run(sql, values)),
      );
    this.connection = await this.pool.acquire('lock');
    return this.connection.run(sql, values);
  }

  /**
   * Interrupts the statement if it waits for a locked row. If the statement ends before the `KILL QUERY` arrives, the
   * connection is not used again, because its next statement would be interrupted. Behind a proxy, the `KILL QUERY` may
   * interrupt a statement on another server, which is then retried as after any conflict.
   */
  async runUnlessLocked(sql: string, values: unknown[]): Promise<boolean> {
    const { pool } = this;
    return pool.use(useOf(sql), async (connection) => {
      let mayHitNext = false;
      const timer = setTimeout(() => {
        mayHitNext = true;
        pool
          .use('read', (other) => other.run(`KILL QUERY ${connection.threadId}`))
          .catch((error: Error) => log.debug(`cannot interrupt a statement: ${error.message}`));
      }, INTERRUPT_MS);
      try {
        await connection.run(sql, values);
        return true;
      } catch (error) {
        if (isInterruption(error)) mayHitNext = false;
        if (isConflict(error)) return false;
        throw error;
      } finally {
        clearTimeout(timer);
        if (mayHitNext) connection.destroy();
      }
    });
  }

  /** Returns the result as the first element of an array, as TypeORM expects. */
  promise() {
    return { query: async (sql: string, values?: unknown[]) => [await this.run(sql, values)] };
  }

  release(): void {
    // An open transaction must not reach the connection's next user.
    this.connection?.destroy();
    this.giveBack();
  }

  private async runInTransaction(connection: MysqlConnection, sql: string, values?: unknown[]) {
    try {
      return await connection.run(sql, values);
    } catch (error) {
      // An interrupted COMMIT may have taken effect, so it must not be retried like a conflict.
      throw ENDS_TRANSACTION.test(sql) && isInterruption(error)
        ? new DatabaseStatementTimeout()
        : error;
    } finally {
      if (ENDS_TRANSACTION.test(sql)) this.giveBack();
    }
  }

  private giveBack(): void {
    if (this.connection) this.pool.release(this.connection, 'lock');
    this.connection = undefined;
  }
}

function useOf(sql: string): Use {
  if (READS.test(sql)) return 'read';
  return INSERTS.test(sql) ? 'insert' : 'lock';
}
