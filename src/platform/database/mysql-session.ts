import type { Connection, RowDataPacket } from 'mysql2';
import { LOCK_WAIT_SECONDS, IDLE_TIMEOUT_SECONDS, STATEMENT_TIMEOUT_MS } from './time-limits.js';

// Set as a whole: mysql2 escapes with backslashes, so a server-wide NO_BACKSLASH_ESCAPES would open an SQL injection.
const SQL_MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

const SESSION_DEFAULTS = `time_zone = '+00:00', sql_mode = '${SQL_MODE}'`;
const SESSION = `SET SESSION ${SESSION_DEFAULTS},
  innodb_lock_wait_timeout = ${STATEMENT_TIMEOUT_MS / 1000},
  lock_wait_timeout = ${STATEMENT_TIMEOUT_MS / 1000}, wait_timeout = ${IDLE_TIMEOUT_SECONDS}`;

// Each is known to one kind of server; on the others it fails without effect.
const TIME_LIMITS = [
  // MariaDB, and MySQL.
  `SET SESSION max_statement_time = ${STATEMENT_TIMEOUT_MS / 1000}`,
  `SET SESSION max_execution_time = ${STATEMENT_TIMEOUT_MS}`,
];
const CONSISTENT_READS = [
  // Galera: SELECT, UPDATE and DELETE see everything committed before on any node.
  'SET SESSION wsrep_sync_wait = 3',
  // Group replication: the same. With a single primary only a new primary has to catch up.
  `SET SESSION group_replication_consistency =
    IF(@@GLOBAL.group_replication_single_primary_mode, 'BEFORE_ON_PRIMARY_FAILOVER', 'BEFORE')`,
];

/** Returns one character, or two if backslashes do not escape. */
const BACKSLASH_CHECK = String.raw`SELECT '\\' AS backslash`;

/** Sets UTC, strict mode, time limits and up-to-date reads on a new connection. Fails if escaping would be unsafe. */
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
 * For migrations: statements may take any time, but give up waiting for a table quickly because logins queue behind them.
 * Skips the escaping check: migrations contain no user input.
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
