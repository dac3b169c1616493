import mysql, { type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import { log } from '../log/log.js';
import {
  DatabaseStatementTimeout,
  DatabaseWaitTimeout,
  NoDatabaseConnection,
} from './database-errors.js';
import { CONNECTION_WAIT_MS, STATEMENT_MS } from './time-limits.js';

const SESSION = `SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = ${STATEMENT_MS / 1000},
  sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES')`;
// Of these MySQL knows one and MariaDB the other; the one that fails changes nothing.
const LIMITS = [
  `SET SESSION max_statement_time = ${STATEMENT_MS / 1000}`,
  `SET SESSION max_execution_time = ${STATEMENT_MS}`,
];

/**
 * mysql2 with an end to every wait: 2 s for a connection, 3 s for a statement. A statement that ran out of time
 * takes its connection with it, since mysql2 would hand out the connection with the statement still running on it.
 */
export const boundedMysql = {
  createPool(options: PoolOptions): Pool {
    // mysql2 would otherwise capture a stack with each statement, in case it fails.
    const pool = mysql.createPool({
      ...options,
      connectTimeout: CONNECTION_WAIT_MS,
      trace: false,
    });
    pool.on('connection', (connection) => {
      boundStatements(connection);
      connection.query(SESSION, (error) => {
        if (!error) return;
        // Without it times would be stored in another zone, and values cut off to fit.
        log.error({ err: error }, 'a database connection could not be prepared and is not used');
        connection.destroy();
      });
      for (const statement of LIMITS) connection.query(statement, () => undefined);
    });
    boundAcquire(pool);
    return pool;
  },
};

function boundAcquire(pool: Pool): void {
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (callback) => {
    let waiting = true;
    const timer = setTimeout(() => {
      waiting = false;
      callback(new DatabaseWaitTimeout(), undefined as never);
    }, CONNECTION_WAIT_MS);
    getConnection((error, connection) => {
      clearTimeout(timer);
      if (waiting) callback(error && new NoDatabaseConnection(error), connection);
      else connection?.release();
    });
  };
}

/** By a timer of our own: mysql2's starts only when it is a statement's turn, and who is queued on a dropped connection never hears of it. */
function boundStatements(connection: PoolConnection): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => mysql.Query;
  const bounded = (...args: unknown[]) => {
    const done = args.pop() as (error: Error | null, ...results: unknown[]) => void;
    let waiting = true;
    const end = (error: Error | null, ...results: unknown[]) => {
      if (!waiting) return;
      waiting = false;
      clearTimeout(timer);
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
