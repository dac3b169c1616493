/** Limits the wait for a connection or in a queue. After this time, the response is 503. */
export const CONNECTION_TIMEOUT_MS = 2000;

export const STATEMENT_TIMEOUT_MS = 3000;

export const TOTAL_TIMEOUT_MS = CONNECTION_TIMEOUT_MS + STATEMENT_TIMEOUT_MS;

/** Limits the retries after conflicts, so that a request whose last statement takes 3 s stays within 5 s. */
export const CONFLICT_RETRY_MS = 2000;

/** Limits the idle time of a connection. The server then rolls back its transaction, even if the instance is lost. */
export const IDLE_TIMEOUT_SECONDS = 60;

/** Limits each wait of a migration for a table, because requests queue behind it and time out after 2 s. */
export const LOCK_WAIT_SECONDS = 1;

/** Allows for a busy machine that cannot serve its own connections for several seconds during an import. */
export const MIGRATION_CONNECTION_TIMEOUT_MS = 60_000;
