import {
  CannotExecuteNotConnectedError,
  type DataSource,
  EntityMetadataNotFoundError,
  QueryFailedError,
  TypeORMError,
} from 'typeorm';

/** Reports that no connection, or no turn at the embedded database, became available within the time limit. */
export class DatabaseWaitTimeout extends Error {
  readonly code = 'DATABASE_WAIT_TIMEOUT';

  constructor(message = 'No database connection became free in time') {
    super(message);
  }
}

/** The statement may still be running on the server, so its effect is unknown. */
export class DatabaseStatementTimeout extends Error {
  readonly code = 'DATABASE_STATEMENT_TIMEOUT';

  constructor() {
    super('The database did not answer a statement in time');
  }
}

/** Wraps connection errors of the database driver, to distinguish them from other connection errors. */
export class NoDatabaseConnection extends Error {
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

/** Lists errors that report a conflict with another transaction. The transaction was rolled back and can be retried. */
const CONFLICTS = new Set<unknown>([
  1020, // MariaDB 11.6 reports ER_CHECKREAD if the row has changed since the transaction's snapshot.
  1205, // ER_LOCK_WAIT_TIMEOUT
  1213, // Galera also reports ER_LOCK_DEADLOCK if another node was first.
  1317, // `MysqlSession.runUnlessLocked` causes ER_QUERY_INTERRUPTED, except on COMMIT.
  3101, // Group replication reports ER_TRANSACTION_ROLLBACK_DURING_COMMIT.
  3572, // MariaDB reports 1205 instead of ER_LOCK_NOWAIT.
]);

/** Matches the deadlock error with which group replication rolls back the later of two conflicting transactions. */
const LOST_AT_COMMIT = /Got error 149\b/;

/** Lists errors after which the server accepts no writes, or the outcome of a commit is unknown. */
const WRITES_REFUSED = new Set<unknown>([
  1047, // A Galera node without quorum reports ER_UNKNOWN_COM_ERROR.
  1180, // ER_ERROR_DURING_COMMIT
  1290, // A read-only server reports ER_OPTION_PREVENTS_STATEMENT.
  1836, // ER_READ_ONLY_MODE
  3100, // Group replication without quorum reports ER_RUN_HOOK_ERROR.
  3101,
]);

/** Lists errors caused by a full disk, after which the statement was rolled back and the next one may succeed. */
const DISK_FULL = new Set<unknown>([
  3, // EE_WRITE
  1021, // ER_DISK_FULL
  1114, // ER_RECORD_FILE_FULL
]);

// mysql2 has no names for these errors.
const UNAVAILABLE_NUMBERS = new Set<unknown>([
  1927, // ER_CONNECTION_KILLED
  1969, // ER_STATEMENT_TIMEOUT
  4031, // The server reports ER_CLIENT_INTERACTION_TIMEOUT after wait_timeout.
]);

const UNAVAILABLE = new Set<unknown>([
  'DATABASE_WAIT_TIMEOUT',
  'DATABASE_STATEMENT_TIMEOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ER_ACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
  'ER_CON_COUNT_ERROR',
  'ER_QUERY_INTERRUPTED',
  'ER_QUERY_TIMEOUT',
  'ER_SERVER_SHUTDOWN',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'SQLITE_BUSY',
  'SQLITE_FULL',
]);

/** Returns whether the database is unreachable, too slow or not yet connected. In these cases, waiting may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    error instanceof DatabaseWaitTimeout ||
    error instanceof NoDatabaseConnection ||
    error instanceof CannotExecuteNotConnectedError ||
    (error instanceof TypeORMError && error.message.startsWith('Connection is not established')) ||
    (error instanceof QueryFailedError && isUnavailable(error.driverError))
  );
}

/** Returns whether an error while connecting or migrating means that the database is unavailable. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isUnavailable(error);
}

/** Returns whether TypeORM failed because it has not connected yet and so knows no entities. */
export function isNotYetConnected(error: unknown, dataSource: DataSource): boolean {
  if (dataSource.isInitialized) return false;
  // TypeORM's insert and query builder treat an unknown class as a function that creates a subquery.
  const isSubquery = error instanceof TypeError && /\bcreateFromAlias\b/.test(error.stack ?? '');
  return error instanceof EntityMetadataNotFoundError || isSubquery;
}

function isUnavailable(error: unknown): boolean {
  const { code, errno, fatal } = driverError(error);
  return (
    error instanceof NoDatabaseConnection ||
    fatal === true ||
    UNAVAILABLE.has(code) ||
    [UNAVAILABLE_NUMBERS, CONFLICTS, WRITES_REFUSED, DISK_FULL].some((numbers) =>
      numbers.has(errno),
    )
  );
}

export function isDuplicateKey(error: unknown): boolean {
  const { code } = driverError(error);
  return (
    code === 'ER_DUP_ENTRY' ||
    code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  );
}

/** Returns whether a CHECK rejected the row. It compares numbers, because mysql2 uses another name for MariaDB's error. */
export function isCheckViolation(error: unknown): boolean {
  const { code, errno } = driverError(error);
  const [mariaDb, mySql] = [4025, 3819];
  return errno === mariaDb || errno === mySql || code === 'SQLITE_CONSTRAINT_CHECK';
}

/** Returns whether the transaction or single statement was rolled back after a conflict. It can then be retried. */
export function isConflict(error: unknown): boolean {
  const { errno, message } = driverError(error);
  return CONFLICTS.has(errno) || (errno === 1180 && LOST_AT_COMMIT.test(String(message)));
}

export function isInterruption(error: unknown): boolean {
  return driverError(error).errno === 1317;
}

/** Returns whether another transaction holds a lock on a row that was requested with NOWAIT. */
export function isLockedRow(error: unknown): boolean {
  const { errno } = driverError(error);
  return errno === 1205 || errno === 3572;
}

/** Returns whether the transaction's state is unknown, or further writes on the connection would fail as well. */
export function leavesConnectionUnusable(error: unknown): boolean {
  return WRITES_REFUSED.has(driverError(error).errno);
}

function driverError(error: unknown): {
  code?: unknown;
  errno?: unknown;
  fatal?: unknown;
  message?: unknown;
} {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof cause === 'object' && cause !== null ? cause : {};
}
