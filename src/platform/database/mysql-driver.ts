import { EventEmitter } from 'node:events';
import { callbackify } from 'node:util';
import type { ConnectionOptions } from 'mysql2';
import type { DatabaseHost } from '../config/database-url.js';
import { NoDatabaseConnection } from './database-errors.js';
import { MysqlPool, type PoolSettings, type Use } from './mysql-pool.js';
import type { PooledConnection } from './pooled-connection.js';
import { retryConflicts } from './transaction.js';

const READS = /^[\s(]*(SELECT|WITH|SHOW)\b/i;
const INSERTS = /^\s*INSERT\b/i;
const BEGINS_TRANSACTION = /^\s*(START|SET) TRANSACTION\b/i;
const ROLLS_BACK = /^\s*ROLLBACK\s*$/i;
const ENDS_TRANSACTION = /^\s*(COMMIT|ROLLBACK)\s*$/i;

/** TypeORM's `driver` option for MySQL and MariaDB: mysql2 with time limits, retries and a limit on writes. */
export class MysqlDriver {
  pool?: MysqlPool;

  constructor(
    private readonly settings: PoolSettings,
    /** Host of the first connections; undefined: the one in TypeORM's options. */
    private readonly host?: () => DatabaseHost,
  ) {}

  createPool(options: ConnectionOptions) {
    const pool = new MysqlPool({ ...options, ...this.host?.() }, this.settings);
    // TypeORM requests one connection to see whether the server can be reached.
    const connected = pool.use('read', () => Promise.resolve());
    this.pool = pool;
    return {
      getConnection: callbackify(() => connected.then(() => new MysqlSession(pool))),
      end: callbackify(() => pool.end()),
    };
  }

  /** For statements that bypass TypeORM. */
  session(): MysqlSession {
    if (!this.pool) throw new NoDatabaseConnection(new Error('not connected yet'));
    return new MysqlSession(this.pool);
  }
}

/**
 * Takes a connection for each lone statement, and keeps one from the start of a transaction to its end.
 * An EventEmitter, because TypeORM listens for 'error' on what getConnection returns.
 */
export class MysqlSession extends EventEmitter {
  private connection?: PooledConnection;

  constructor(private readonly pool: MysqlPool) {
    super();
  }

  /** A lone statement is retried after a conflict, which has rolled it back. */
  async run(sql: string, values?: unknown[]): Promise<unknown> {
    if (this.connection) return this.runInTransaction(this.connection, sql, values);
    // Its transaction got no connection or has ended: TypeORM rolls back after any error.
    if (ROLLS_BACK.test(sql)) return undefined;
    if (!BEGINS_TRANSACTION.test(sql))
      return retryConflicts(() =>
        this.pool.use(useOf(sql), (connection) => connection.run(sql, values)),
      );
    this.connection = await this.pool.acquire('lock');
    return this.connection.run(sql, values);
  }

  /** For TypeORM, which reads the first element. */
  promise() {
    return { query: async (sql: string, values?: unknown[]) => [await this.run(sql, values)] };
  }

  release(): void {
    // An open transaction must not reach the next user of the connection.
    this.connection?.destroy();
    this.giveBack();
  }

  private async runInTransaction(connection: PooledConnection, sql: string, values?: unknown[]) {
    try {
      return await connection.run(sql, values);
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
