import { type ErrorName, errorCode } from './error-table.js';

export interface FieldProblem {
  field: string;
  message: string;
}

interface AppErrorOptions extends ErrorOptions {
  details?: FieldProblem[];
  retryAfter?: number;
  headers?: Record<string, string>;
  extra?: Record<string, unknown>;
  /** The reason appears only in the log. The client never sees it. */
  reason?: string;
}

/** This is the base class of every expected error. The exception filter converts these errors to responses. */
export class AppError extends Error {
  readonly details?: FieldProblem[];
  readonly retryAfter?: number;
  readonly headers: Record<string, string>;
  readonly extra?: Record<string, unknown>;
  readonly reason?: string;

  constructor(
    readonly error: ErrorName,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options);
    this.details = options.details;
    this.retryAfter =
      options.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfter));
    this.headers = options.headers ?? {};
    this.extra = options.extra;
    this.reason = options.reason;
  }
}

export function errorBody(error: AppError, requestId: string) {
  return {
    code: errorCode(error.error),
    error: error.error,
    message: error.message,
    request_id: requestId,
    ...(error.details && { details: error.details }),
    ...(error.retryAfter !== undefined && { retry_after: error.retryAfter }),
    ...error.extra,
  };
}
