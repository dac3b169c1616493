/** What is known of a request before any handler runs. */
export interface RequestContext {
  /** Stands in every log line of the request and in its answer. */
  requestId: string;
  /** The client's address under `TRUST_PROXY`. */
  address: string;
  /** The `User-Agent`, as the client says it. */
  userAgent?: string;
  /** The player, once a JWT or a login has told who it is. */
  playerId?: number;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}
