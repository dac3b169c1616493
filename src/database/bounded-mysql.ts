import mysql, { type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import type { DatabaseHost } from '../config/database-url.js';
import { log } from '../log/log.js';
import {
  DatabaseStatementTimeout,
  DatabaseWaitTimeout,
  leavesConnectionUnusable,
  NoDatabaseConnection,
} from './database-errors.js';
import { prepareSession } from './session.js';
import { CONNECTION_WAIT_MS, SILENCE_SECONDS, STATEMENT_MS } from './time-limits.js';

const CONNECTIONS = 10;
const ENDS_TRANSACTION = /^\s*(COMMIT|ROLLBACK)\s*$/i;

/** What mysql2's pool has and its types leave out. */
interface PoolInside {
  config: { maxIdle: number; connectionConfig: { host: string; port: number } };
  _allConnections: { length: number; get(index: number): PoolConnection };
  _freeConnections: { length: number; get(index: number): PoolConnection };
}

/**
 * mysql2 with an end to every wait: 2 s for a connection, 3 s for a statement. A connection is destroyed, never used
 * again, where a statement ran out of time (it may still run), where COMMIT or ROLLBACK failed (the transaction may
 * still be open), and where the server takes no writes.
 */
export class BoundedMysql {
  private pool?: Pool;
  private readonly retired = new WeakSet<PoolConnection>();
  private readonly prepared = new WeakSet<PoolConnection>();

  constructor(
    /** Where new connections go; undefined: where the options of the pool say. */
    private readonly host?: () => DatabaseHost,
    /** Called when a connection had to be destroyed for what the server said. */
    private readonly onRefused: () => void = () => undefined,
  ) {}

  createPool(options: PoolOptions): Pool {
    const connectionLimit = options.connectionLimit ?? CONNECTIONS;
    const pool = mysql.createPool({
      ...options,
      // mysql2 would otherwise capture a stack with each statement, in case it fails.
      trace: false,
      ...this.host?.(),
      connectTimeout: CONNECTION_WAIT_MS,
      connectionLimit,
      // Given back before the server ends it: nobody is handed a connection that ends that moment.
      idleTimeout: (SILENCE_SECONDS * 1000) / 2,
      maxIdle: connectionLimit - 1,
      gracefulEnd: true,
    });
    // mysql2 closes idle connections only where fewer may be idle than open; all may.
    inside(pool).config.maxIdle = connectionLimit;
    pool.on('connection', (connection) => this.bound(connection));
    this.boundAcquire(pool);
    this.pool = pool;
    return pool;
  }

  /** From now on connections go to this host; no open one is used for another request. */
  moveTo({ host, port }: DatabaseHost): void {
    if (!this.pool) return;
    const { config, _allConnections: all, _freeConnections: free } = inside(this.pool);
    Object.assign(config.connectionConfig, { host, port });
    for (let index = 0; index < all.length; index++) this.retired.add(all.get(index));
    while (free.length > 0) free.get(0).destroy();
  }

  private boundAcquire(pool: Pool): void {
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
        // A pool that is closed for it would wait for its answer.
        inPreparation?.destroy();
        end(new DatabaseWaitTimeout());
      }, CONNECTION_WAIT_MS);
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
      // Without it times would be stored in another zone, values cut off to fit, and quotes not be safe.
      log.error({ err: error }, 'a database connection could not be prepared and is not used');
      connection.destroy();
      throw error;
    }
  }

  private bound(connection: PoolConnection): void {
    this.boundStatements(connection);
    const release = connection.release.bind(connection);
    connection.release = () => (this.retired.has(connection) ? connection.destroy() : release());
  }

  /** By a timer of our own: mysql2's starts only when it is a statement's turn, and who is queued on a dropped connection never hears of it. */
  private boundStatements(connection: PoolConnection): void {
    const query = connection.query.bind(connection) as (...args: unknown[]) => mysql.Query;
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
      // After what has arrived in the meantime was read: timers run before that.
      const timer = setTimeout(() => setImmediate(expire), STATEMENT_MS);
      try {
        return query(...args, end);
      } catch (error) {
        clearTimeout(timer);
        throw error;
      }
    };
    connection.query = bounded as typeof connection.query;
  }

  /** TypeORM passes over a ROLLBACK that failed, and would give the connection back with its transaction open. */
  private destroyIfUnusable(connection: PoolConnection, statement: unknown, error: Error): void {
    const refused = leavesConnectionUnusable(error);
    if (!refused && !(typeof statement === 'string' && ENDS_TRANSACTION.test(statement))) return;
    connection.destroy();
    if (refused) this.onRefused();
  }
}

function inside(pool: Pool): PoolInside {
  return pool as unknown as PoolInside;
}
