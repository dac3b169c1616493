import type { PoolConnection, RowDataPacket } from 'mysql2';
import { SILENCE_SECONDS, STATEMENT_MS } from './time-limits.js';

// The whole of it, whatever the server's is: values are escaped with backslashes, which NO_BACKSLASH_ESCAPES would let out of their quotes.
const SQL_MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

const MEANING = `time_zone = '+00:00', sql_mode = '${SQL_MODE}'`;
const SESSION = `SET SESSION ${MEANING},
  innodb_lock_wait_timeout = ${STATEMENT_MS / 1000}, wait_timeout = ${SILENCE_SECONDS}`;

// Each of these is known to one kind of server; where it fails it changes nothing.
const TIME_LIMITS = [
  // MariaDB, and MySQL.
  `SET SESSION max_statement_time = ${STATEMENT_MS / 1000}`,
  `SET SESSION max_execution_time = ${STATEMENT_MS}`,
];
const UP_TO_DATE = [
  // Galera: SELECT, UPDATE and DELETE see what was committed before at any other node.
  'SET SESSION wsrep_sync_wait = 3',
  // Group replication: the same; with a single primary only a new one has anything to wait for.
  `SET SESSION group_replication_consistency =
    IF(@@GLOBAL.group_replication_single_primary_mode, 'BEFORE_ON_PRIMARY_FAILOVER', 'BEFORE')`,
];

/** One character, or two where backslashes mean nothing. */
const ESCAPED = String.raw`SELECT '\\' AS backslash`;

/** Gives a new connection UTC, strict mode, its time limits and reads that are up to date; fails where it cannot be trusted. */
export async function prepareSession(connection: PoolConnection): Promise<void> {
  const query = (sql: string) =>
    new Promise<RowDataPacket[]>((resolve, reject) => {
      connection.query<RowDataPacket[]>(sql, (error, rows) =>
        error ? reject(error) : resolve(rows),
      );
    });
  const [rows] = await Promise.all([
    query(SESSION).then(() => query(ESCAPED)),
    ...[...TIME_LIMITS, ...UP_TO_DATE].map((sql) => query(sql).catch(() => undefined)),
  ]);
  if (rows[0]?.backslash !== '\\')
    throw new Error('sql_mode has NO_BACKSLASH_ESCAPES although it was set otherwise');
}

/** The same without the time limits, and without waiting for it: for migrations, whose statements hold nobody's words. */
export function preparePatientSession(connection: PoolConnection): void {
  for (const sql of [`SET SESSION ${MEANING}`, ...UP_TO_DATE])
    connection.query(sql, () => undefined);
}
