import mysql, { type Connection, type ConnectionOptions, type RowDataPacket } from 'mysql2';
import {
  DatabaseStatementTimeout,
  DatabaseWaitTimeout,
  leavesConnectionUnusable,
} from './database-errors.js';
import {
  CONNECTION_TIMEOUT_MS,
  IDLE_TIMEOUT_SECONDS,
  LOCK_WAIT_SECONDS,
  STATEMENT_TIMEOUT_MS,
} from './time-limits.js';

const CLOSE_TIMEOUT_MS = 10_000;
const ENDS_TRANSACTION = /^\s*(COMMIT|ROLLBACK)\s*$/i;

// The whole mode is set, because NO_BACKSLASH_ESCAPES would allow SQL injection, as mysql2 escapes with backslashes.
const SQL_MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

const SESSION_DEFAULTS = `time_zone = '+00:00', sql_mode = '${SQL_MODE}'`;
const SESSION = `SET SESSION ${SESSION_DEFAULTS},
  innodb_lock_wait_timeout = ${STATEMENT_TIMEOUT_MS / 1000},
  lock_wait_timeout = ${STATEMENT_TIMEOUT_MS / 1000}, wait_timeout = ${IDLE_TIMEOUT_SECONDS}`;

// Each variable exists only on some kinds of servers. On the others, the statement fails without effect.
const TIME_LIMITS = [
  `SET SESSION max_statement_time = ${STATEMENT_TIMEOUT_MS / 1000}`,
  `SET SESSION max_execution_time = ${STATEMENT_TIMEOUT_MS}`,
];
const CONSISTENT_READS = [
  // On Galera, SELECT, UPDATE and DELETE then see all earlier commits of any node.
  'SET SESSION wsrep_sync_wait = 3',
  // This variable does the same for group replication. With a single primary, only a new primary has to catch up.
  `SET SESSION group_replication_consistency =
    IF(@@GLOBAL.group_replication_single_primary_mode, 'BEFORE_ON_PRIMARY_FAILOVER', 'BEFORE')`,
];

/** Selects one character, or two characters if backslashes do not escape. */
const BACKSLASH_CHECK = String.raw`SELECT '\\' AS backslash`;

export interface ConnectionSettings {
  prepare: (connection: Connection) => Promise<void>;
  /** Limits the wait for a connection. The default is 2 s. */
  connectionTimeoutMs?: number;
  /** Limits the duration of a statement. If this is undefined, the duration is not limited. */
  statementTimeoutMs?: number;
  /** This is called when the server rejected a statement because it accepts no writes. */
  onWriteRefused?: () => void;
}

/**
 * Destroys itself instead of being reused after a timeout (the statement may still be running), after a failed COMMIT
 * or ROLLBACK (the transaction may still be open), and when the server accepts no writes.
 */
export class MysqlConnection {
  isOpen = true;
  idleSince = 0;

  private constructor(
    private readonly connection: Connection,
    private readonly settings: ConnectionSettings,
  ) {
    connection.on('error', () => this.destroy());
  }

  static open(options: ConnectionOptions, settings: ConnectionSettings): Promise<MysqlConnection> {
    return new Promise((resolve, reject) => {
      // The driver's timeout is off, because the timer below also covers the preparation of the session. `trace` would
      // capture a stack with each statement.
      const driver = { connectTimeout: 0, trace: false };
      const connection = mysql.createConnection({ ...options, ...driver });
      const opened = new MysqlConnection(connection, settings);
      const fail = (error: Error) => {
        clearTimeout(timer);
        opened.destroy();
        reject(error);
      };
      const { connectionTimeoutMs = CONNECTION_TIMEOUT_MS } = settings;
      const expire = () =>
        fail(new DatabaseWaitTimeout('The database did not answer a new connection in time'));
      const timer = setTimeout(expire, connectionTimeoutMs);
      const succeed = () => {
        clearTimeout(timer);
        resolve(opened);
      };
      settings.prepare(connection).then(succeed, fail);
    });
  }

  get threadId(): number {
    return this.connection.threadId;
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
      // mysql2's own timer starts only when the statement is sent. Timers run before sockets are read, so
      // `setImmediate` lets a response that has already arrived be read before the statement expires.
      const timer =
        statementTimeoutMs && setTimeout(() => setImmediate(expire), statementTimeoutMs);
      // Without values, mysql2 does not search a statement with thousands of rows for placeholders.
      this.connection.query(sql, values?.length ? values : null, (error, result) => {
        isWaiting = false;
        clearTimeout(timer);
        if (!error) return resolve(result);
        this.destroyIfUnusable(sql, error);
        return reject(error);
      });
    });
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    // A hanging server does not close its side of the connection.
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
    const isFatal = 'fatal' in error && error.fatal === true;
    if (!refusesWrites && !isFatal && !ENDS_TRANSACTION.test(sql)) return;
    this.destroy();
    if (refusesWrites) this.settings.onWriteRefused?.();
  }
}

/** Sets UTC, strict mode, time limits and up-to-date reads on a new connection. Throws if escaping would be unsafe. */
export async function prepareSession(connection: Connection): Promise<void> {
  const ifKnown = (sql: string) => query(connection, sql).catch(() => undefined);
  const [, rows] = await Promise.all([
    query(connection, SESSION),
    query(connection, BACKSLASH_CHECK),
    ...[...TIME_LIMITS, ...CONSISTENT_READS].map(ifKnown),
  ]);
  if (rows[0]?.backslash !== '\\')
    throw new Error('sql_mode has NO_BACKSLASH_ESCAPES although it was set otherwise');
}

/**
 * Statements of migrations may run for any length of time, but stop waiting for a table quickly, because logins queue
 * behind them. Migrations contain no user input, so escaping is not checked.
 */
export async function prepareMigrationSession(connection: Connection): Promise<void> {
  await query(
    connection,
    `SET SESSION ${SESSION_DEFAULTS}, lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
  );
  for (const sql of CONSISTENT_READS) await query(connection, sql).catch(() => undefined);
}

function query(connection: Connection, sql: string): Promise<RowDataPacket[]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>(sql, (error, rows) =>
      error ? reject(error) : resolve(rows),
    );
  });
}
