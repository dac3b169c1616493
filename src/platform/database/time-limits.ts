/** How long a request waits for a connection, or in a queue, before it is answered 503. */
export const CONNECTION_TIMEOUT_MS = 2000;

/** How long one statement may take. */
export const STATEMENT_TIMEOUT_MS = 3000;

/** A connection and a statement on it. */
export const TOTAL_TIMEOUT_MS = CONNECTION_TIMEOUT_MS + STATEMENT_TIMEOUT_MS;

/** How long conflicts are retried. With a last statement of 3 s the request stays within 5 s. */
export const CONFLICT_RETRY_MS = 2000;

/** The server closes a connection that is idle this long, and with it the transaction of a lost instance. */
export const IDLE_TIMEOUT_SECONDS = 60;

/** How long a migration waits for a table at a time. Requests wait behind it, and have 2 s. */
export const LOCK_WAIT_SECONDS = 1;

/** An import may keep a busy machine from serving its own connections for seconds. */
export const MIGRATION_CONNECTION_TIMEOUT_MS = 60_000;
