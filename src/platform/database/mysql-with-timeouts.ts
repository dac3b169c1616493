import mysql, { type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import type { DatabaseHost } from '../config/database-url.js';
import { log } from '../log/log.js';
import { limitPoolClose } from './pool-close-timeout.js';
import {
  DatabaseStatementTimeout,
  DatabaseWaitTimeout,
  leavesConnectionUnusable,
  NoDatabaseConnection,
} from './database-errors.js';
import { prepareSession } from './mysql-session.js';
import {
  CONNECTION_TIMEOUT_MS,
  IDLE_TIMEOUT_SECONDS,
  STATEMENT_TIMEOUT_MS,
} from './time-limits.js';

const CONNECTIONS = 10;
const ENDS_TRANSACTION = /^\s*(COMMIT|ROLLBACK)\s*$/i;

/** Part of mysql2's pool that its types leave out. */
interface PoolInternals {
  config: { maxIdle: number; connectionConfig: { host: string; port: number } };
  _allConnections: { length: number; get(index: number): PoolConnection };
  _freeConnections: { length: number; get(index: number): PoolConnection };
}

/**
 * mysql2 with a limit on every wait: 2 s for a connection, 3 s for a statement and for the end. A connection is
 * destroyed instead of reused after a time-out (the statement may still run), after a failed COMMIT or ROLLBACK (the
 * transaction may still be open), and when the server takes no writes.
 */
export class MysqlWithTimeouts {
  private pool?: Pool;
  private readonly retired = new WeakSet<PoolConnection>();
  private readonly prepared = new WeakSet<PoolConnection>();

  constructor(
    /** Host of new connections; undefined: the one in the pool's options. */
    private readonly host?: () => DatabaseHost,
    /** Called when a connection was destroyed because the server refused a write. */
    private readonly onWriteRefused: () => void = () => undefined,
  ) {}

  createPool(options: PoolOptions): Pool {
    const connectionLimit = options.connectionLimit ?? CONNECTIONS;
    const pool = mysql.createPool({
      ...options,
      // mysql2 would otherwise capture a stack with each statement, in case it fails.
      trace: false,
      ...this.host?.(),
      connectTimeout: CONNECTION_TIMEOUT_MS,
      connectionLimit,
      // Closed well before the server's wait_timeout, so that nobody gets a connection that is about to end.
      idleTimeout: (IDLE_TIMEOUT_SECONDS * 1000) / 2,
      maxIdle: connectionLimit - 1,
      gracefulEnd: true,
    });
    // mysql2 applies idleTimeout only if maxIdle is below the limit; all connections may be idle, though.
    internals(pool).config.maxIdle = connectionLimit;
    pool.on('connection', (connection) => this.limitConnection(connection));
    this.limitAcquire(pool);
    limitPoolClose(pool);
    this.pool = pool;
    return pool;
  }

  /** Sends new connections to this host and retires the open ones after their current use. */
  switchTo({ host, port }: DatabaseHost): void {
    if (!this.pool) return;
    const { config, _allConnections: all, _freeConnections: free } = internals(this.pool);
    Object.assign(config.connectionConfig, { host, port });
    for (let index = 0; index < all.length; index++) this.retired.add(all.get(index));
    // A copy: on a pool that is closed, a destroyed connection stays in the list.
    const idle = Array.from({ length: free.length }, (_, index) => free.get(index));
    for (const connection of idle) connection.destroy();
  }

  private limitAcquire(pool: Pool): void {
    const getConnection = pool.getConnection.bind(pool);
    pool.getConnection = (callback) => {
      let waiting = true;
      let inPreparation: PoolConnection | undefined;
      const end = (error: Error | null, connection?: PoolConnection) => {
        clearTimeout(timer);
        if (!waiting) return connection?.release();
        waiting = false;
        return callback(error, connection as PoolConnection);
      };
      const timer = setTimeout(() => {
        // Otherwise closing the pool would wait for this connection.
        inPreparation?.destroy();
        end(new DatabaseWaitTimeout());
      }, CONNECTION_TIMEOUT_MS);
      getConnection((error, connection) => {
        if (error) return end(new NoDatabaseConnection(error));
        if (this.prepared.has(connection)) return end(null, connection);
        inPreparation = connection;
        return this.handOver(connection, end);
      });
    };
  }

  private handOver(
    connection: PoolConnection,
    end: (error: Error | null, connection?: PoolConnection) => void,
  ): void {
    this.prepare(connection).then(
      () => end(null, connection),
      (reason: Error) => end(new NoDatabaseConnection(reason)),
    );
  }

  private async prepare(connection: PoolConnection): Promise<void> {
    try {
      await prepareSession(connection);
      this.prepared.add(connection);
    } catch (error) {
      // Without these settings times would shift, values be truncated, and escaping be unsafe.
      log.error({ err: error }, 'a database connection could not be prepared and is not used');
      connection.destroy();
      throw error;
    }
  }

  private limitConnection(connection: PoolConnection): void {
    this.limitStatements(connection, 'query');
    this.limitStatements(connection, 'execute');
    const release = connection.release.bind(connection);
    connection.release = () => (this.retired.has(connection) ? connection.destroy() : release());
  }

  /** Uses its own timer: mysql2's starts only when the statement is sent, and a queued one on a dropped connection never calls back. */
  private limitStatements(connection: PoolConnection, method: 'query' | 'execute'): void {
    const send = connection[method].bind(connection) as (...args: unknown[]) => mysql.Query;
    const bounded = (...args: unknown[]) => {
      const done = args.pop() as (error: Error | null, ...results: unknown[]) => void;
      let waiting = true;
      const end = (error: Error | null, ...results: unknown[]) => {
        if (!waiting) return;
        waiting = false;
        clearTimeout(timer);
        if (error) this.destroyIfUnusable(connection, args[0], error);
        done(error, ...results);
      };
      const expire = () => {
        if (!waiting) return;
        connection.destroy();
        end(new DatabaseStatementTimeout());
      };
      // Timers run before sockets are read, so look once more after that: the answer may have arrived.
      const timer = setTimeout(() => setImmediate(expire), STATEMENT_TIMEOUT_MS);
      try {
        return send(...args, end);
      } catch (error) {
        clearTimeout(timer);
        throw error;
      }
    };
    Object.assign(connection, { [method]: bounded });
  }

  /** TypeORM ignores a failed ROLLBACK and would return the connection to the pool with its transaction open. */
  private destroyIfUnusable(connection: PoolConnection, statement: unknown, error: Error): void {
    const isUnusable = leavesConnectionUnusable(error);
    if (!isUnusable && !(typeof statement === 'string' && ENDS_TRANSACTION.test(statement))) return;
    connection.destroy();
    if (isUnusable) this.onWriteRefused();
  }
}

function internals(pool: Pool): PoolInternals {
  return pool as unknown as PoolInternals;
}
