import type { ErrorName } from '../errors/error-table.js';

/** What is known of a request before any handler runs, and what its handling adds for the log. */
export interface RequestContext {
  /** Stands in every log line of the request and in its answer. */
  requestId: string;
  /** The client's address under `TRUST_PROXY`. */
  address: string;
  /** The `User-Agent`, as the client says it. */
  userAgent?: string;
  /** The player, once a JWT has told who it is, or whose account somebody tries to sign in to. Proves nothing. */
  playerId?: number;
  /** At the desk: who is signed in. */
  operator?: string;
  /** The session that a sign-in has begun. */
  sessionId?: number;
  /** What the request was refused with. */
  error?: ErrorName;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}
