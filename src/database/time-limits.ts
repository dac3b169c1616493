/** How long a request waits for a connection, or for its turn, before it is answered 503. */
export const CONNECTION_WAIT_MS = 2000;

/** How long one statement may take. */
export const STATEMENT_MS = 3000;
