import {
  CannotExecuteNotConnectedError,
  type DataSource,
  EntityMetadataNotFoundError,
  QueryFailedError,
  TypeORMError,
} from 'typeorm';

/** No connection, or no turn at the embedded database, within the time limit. */
export class DatabaseWaitTimeout extends Error {
  readonly code = 'DATABASE_WAIT_TIMEOUT';

  constructor() {
    super('No database connection became free in time');
  }
}

/** The statement may still be running on the server; its effect is unknown. */
export class DatabaseStatementTimeout extends Error {
  readonly code = 'DATABASE_STATEMENT_TIMEOUT';

  constructor() {
    super('The database did not answer a statement in time');
  }
}

/** Wraps the driver's connection errors, to tell them from those of other connections. */
export class NoDatabaseConnection extends Error {
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

/** Conflicts with another transaction: this one was rolled back and can be retried. */
const CONFLICTS = new Set<unknown>([
  // MariaDB 11.6 and later: the row changed since the transaction's snapshot.
  1020, // ER_CHECKREAD
  1205, // ER_LOCK_WAIT_TIMEOUT
  1213, // ER_LOCK_DEADLOCK; Galera's too, where another node was first
  3101, // ER_TRANSACTION_ROLLBACK_DURING_COMMIT, of group replication
  3572, // ER_LOCK_NOWAIT; MariaDB says 1205
]);

/** Of ER_ERROR_DURING_COMMIT: InnoDB's deadlock, which is how group replication undoes a transaction that came second. */
const LOST_AT_COMMIT = /Got error 149\b/;

/** The server accepts no writes, or cannot tell whether one was committed. */
const WRITES_REFUSED = new Set<unknown>([
  1047, // ER_UNKNOWN_COM_ERROR: a Galera node without quorum
  1180, // ER_ERROR_DURING_COMMIT
  1290, // ER_OPTION_PREVENTS_STATEMENT: read-only
  1836, // ER_READ_ONLY_MODE
  3100, // ER_RUN_HOOK_ERROR: group replication without quorum
  3101,
]);

/** The server's disk is full: the statement was undone, and the next one may succeed. */
const DISK_FULL = new Set<unknown>([
  3, // EE_WRITE
  1021, // ER_DISK_FULL
  1114, // ER_RECORD_FILE_FULL
]);

// Errors without a name in mysql2.
const UNAVAILABLE_NUMBERS = new Set<unknown>([
  1927, // ER_CONNECTION_KILLED
  1969, // ER_STATEMENT_TIMEOUT
  4031, // ER_CLIENT_INTERACTION_TIMEOUT: silent for longer than wait_timeout
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

/** The database cannot be reached, is too slow or was never connected. Waiting may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    error instanceof DatabaseWaitTimeout ||
    error instanceof NoDatabaseConnection ||
    error instanceof CannotExecuteNotConnectedError ||
    (error instanceof TypeORMError && error.message.startsWith('Connection is not established')) ||
    (error instanceof QueryFailedError && isUnavailable(error.driverError))
  );
}

/** The same for errors met while connecting and migrating, which can only be the database's. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isUnavailable(error);
}

/** TypeORM was used before the first connection, when it knows no entities. After that, it would be our bug. */
export function isNotYetConnected(error: unknown, dataSource: DataSource): boolean {
  if (dataSource.isInitialized) return false;
  return error instanceof EntityMetadataNotFoundError || isUnregisteredEntityError(error);
}

/** TypeORM's insert and query builder treat an unknown class as a function that creates a subquery. */
function isUnregisteredEntityError(error: unknown): boolean {
  return error instanceof TypeError && /\bcreateFromAlias\b/.test(error.stack ?? '');
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

/** A unique key was violated, on MySQL or SQLite. */
export function isDuplicateKey(error: unknown): boolean {
  const { code } = driverError(error);
  return (
    code === 'ER_DUP_ENTRY' ||
    code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  );
}

/** A CHECK of the table refused the row. By number: mysql2 has another name for MariaDB's. */
export function isCheckViolation(error: unknown): boolean {
  const { code, errno } = driverError(error);
  const [mariaDb, mySql] = [4025, 3819];
  return errno === mariaDb || errno === mySql || code === 'SQLITE_CONSTRAINT_CHECK';
}

/** The transaction or lone statement was rolled back in favour of another; retry it. */
export function isConflict(error: unknown): boolean {
  const { errno, message } = driverError(error);
  return CONFLICTS.has(errno) || (errno === 1180 && LOST_AT_COMMIT.test(String(message)));
}

/** Another transaction holds a row that was asked for with NOWAIT. */
export function isLockedRow(error: unknown): boolean {
  const { errno } = driverError(error);
  return errno === 1205 || errno === 3572;
}

/** The state of the connection's transaction is uncertain, or further writes on it would fail as well. */
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
