/** How long a request waits for a connection, or for its turn, before it is answered 503. */
export const CONNECTION_WAIT_MS = 2000;

/** How long one statement may take. */
export const STATEMENT_MS = 3000;

/** For how long work that met a conflict is begun again. With the statement under way then, it stays within 5 s. */
export const RETRY_MS = 2000;

/** After so long without a word the server ends a connection, and with it a transaction whose instance is lost. */
export const SILENCE_SECONDS = 60;
