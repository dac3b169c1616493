import {
  CannotExecuteNotConnectedError,
  type DataSource,
  EntityMetadataNotFoundError,
  QueryFailedError,
  TypeORMError,
} from 'typeorm';

/** Nobody waits longer than this for a connection, or for the embedded database's turn. */
export class DatabaseWaitTimeout extends Error {
  readonly code = 'DATABASE_WAIT_TIMEOUT';

  constructor() {
    super('No database connection became free in time');
  }
}

/** The statement may still be running on the server; what it did is not known. */
export class DatabaseStatementTimeout extends Error {
  readonly code = 'DATABASE_STATEMENT_TIMEOUT';

  constructor() {
    super('The database did not answer a statement in time');
  }
}

/** The driver's reason why there is no connection, told apart from the same reason of anybody else's connection. */
export class NoDatabaseConnection extends Error {
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

// MariaDB's own, for which mysql2 has no name.
const STATEMENT_TIMEOUT = 1969;

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
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_QUERY_INTERRUPTED',
  'ER_QUERY_TIMEOUT',
  'ER_SERVER_SHUTDOWN',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'SQLITE_BUSY',
]);

/** The database cannot be reached, is too slow or has not been there yet: waiting may help, another query will not. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    error instanceof DatabaseWaitTimeout ||
    error instanceof NoDatabaseConnection ||
    error instanceof CannotExecuteNotConnectedError ||
    (error instanceof TypeORMError && error.message.startsWith('Connection is not established')) ||
    (error instanceof QueryFailedError && isUnavailable(error.driverError))
  );
}

/** The same of an error that can only be the database's: met while connecting to it and migrating it. */
export function isDatabaseNotThere(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isUnavailable(error);
}

/** A repository was used before the database was there for the first time; thereafter, a mistake of ours. */
export function isBeforeTheFirstConnection(error: unknown, dataSource: DataSource): boolean {
  return error instanceof EntityMetadataNotFoundError && !dataSource.isInitialized;
}

function isUnavailable(error: unknown): boolean {
  const { code, errno, fatal } = driverError(error);
  return fatal === true || errno === STATEMENT_TIMEOUT || UNAVAILABLE.has(code);
}

/** A row that breaks a unique key, in the words of either database. */
export function isDuplicate(error: unknown): boolean {
  const { code } = driverError(error);
  return (
    code === 'ER_DUP_ENTRY' ||
    code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  );
}

/** The database undid this transaction to end a deadlock: another try may do. */
export function isDeadlock(error: unknown): boolean {
  return driverError(error).code === 'ER_LOCK_DEADLOCK';
}

function driverError(error: unknown): { code?: unknown; errno?: unknown; fatal?: unknown } {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof cause === 'object' && cause !== null ? cause : {};
}
