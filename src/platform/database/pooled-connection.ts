import mysql, { type Connection, type ConnectionOptions } from 'mysql2';
import {
  DatabaseStatementTimeout,
  DatabaseWaitTimeout,
  leavesConnectionUnusable,
} from './database-errors.js';
import { CONNECTION_TIMEOUT_MS } from './time-limits.js';

const CLOSE_TIMEOUT_MS = 10_000;
const ENDS_TRANSACTION = /^\s*(COMMIT|ROLLBACK)\s*$/i;

export interface ConnectionSettings {
  /** Sets the session variables of a new connection. */
  prepare: (connection: Connection) => Promise<void>;
  /** How long to wait for a connection; 2 s by default. */
  connectionTimeoutMs?: number;
  /** undefined: a statement may take any time. */
  statementTimeoutMs?: number;
  /** Called when the server refused a statement because it accepts no writes. */
  onWriteRefused?: () => void;
}

/**
 * A connection of a pool. It is destroyed instead of reused after a time-out (the statement may still run), after a
 * failed COMMIT or ROLLBACK (the transaction may still be open), and when the server accepts no writes.
 */
export class PooledConnection {
  isOpen = true;
  idleSince = 0;

  private constructor(
    private readonly connection: Connection,
    private readonly settings: ConnectionSettings,
  ) {
    connection.on('error', () => this.destroy());
  }

  static open(options: ConnectionOptions, settings: ConnectionSettings): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      // The timer below covers the preparation, too. `trace` captures a stack with each statement, in case it fails.
      const driver = { connectTimeout: 0, trace: false };
      const connection = mysql.createConnection({ ...options, ...driver });
      const opened = new PooledConnection(connection, settings);
      const fail = (error: Error) => {
        clearTimeout(timer);
        opened.destroy();
        reject(error);
      };
      const { connectionTimeoutMs = CONNECTION_TIMEOUT_MS } = settings;
      const timer = setTimeout(() => fail(new DatabaseWaitTimeout()), connectionTimeoutMs);
      const succeed = () => {
        clearTimeout(timer);
        resolve(opened);
      };
      settings.prepare(connection).then(succeed, fail);
    });
  }

  run(sql: string, values?: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let isWaiting = true;
      const expire = () => {
        if (!isWaiting) return;
        this.destroy();
        reject(new DatabaseStatementTimeout());
      };
      const { statementTimeoutMs } = this.settings;
      // Not mysql2's timer, which starts only when the statement is sent. Timers run before sockets are read, so look
      // once more after that: the answer may have arrived.
      const timer =
        statementTimeoutMs && setTimeout(() => setImmediate(expire), statementTimeoutMs);
      // Without values, mysql2 does not search a statement of thousands of rows for placeholders.
      this.connection.query(sql, values?.length ? values : null, (error, result) => {
        isWaiting = false;
        clearTimeout(timer);
        if (!error) return resolve(result);
        this.destroyIfUnusable(sql, error);
        return reject(error);
      });
    });
  }

  /** Resolves once the server has closed the connection. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    // A hanging server does not close its side.
    const timer = setTimeout(() => this.connection.destroy(), CLOSE_TIMEOUT_MS).unref();
    await new Promise<void>((resolve) => {
      this.connection.once('end', resolve);
      this.connection.end();
    });
    clearTimeout(timer);
    this.isOpen = false;
  }

  destroy(): void {
    this.isOpen = false;
    this.connection.destroy();
  }

  private destroyIfUnusable(sql: string, error: Error): void {
    const refusesWrites = leavesConnectionUnusable(error);
    if (!refusesWrites && !isFatal(error) && !ENDS_TRANSACTION.test(sql)) return;
    this.destroy();
    if (refusesWrites) this.settings.onWriteRefused?.();
  }
}

function isFatal(error: Error): boolean {
  return 'fatal' in error && error.fatal === true;
}
