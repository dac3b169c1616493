import type { ErrorName } from '../errors/error-table.js';

/** What is known about a request before any handler runs, and what its handling adds for the log. */
export interface RequestContext {
  /** Part of every log line of the request and of its answer. */
  requestId: string;
  /** The client's address under `TRUST_PROXY`. */
  address: string;
  /** The `User-Agent`, as sent by the client. */
  userAgent?: string;
  /** The player of the JWT, or of the account that somebody tries to sign in to. Proves nothing. */
  playerId?: number;
  /** At the desk: the signed-in operator. */
  operator?: string;
  /** The session that a sign-in started. */
  sessionId?: number;
  /** The verified signature of a game server's call, and until when it is fresh. */
  signature?: { hex: string; expiresAt: Date };
  /** The second factor that a sign-in was tried with. */
  secondFactor?: 'totp' | 'passkey' | 'recovery_code';
  /** Its outcome is recorded in `login_event`. */
  isSignIn?: boolean;
  /** The error with which the request was refused. */
  error?: ErrorName;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}
