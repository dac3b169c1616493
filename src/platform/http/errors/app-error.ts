import type { ErrorName } from './error-table.js';

export interface FieldProblem {
  field: string;
  message: string;
}

interface AppErrorOptions extends ErrorOptions {
  details?: FieldProblem[];
  retryAfter?: number;
  headers?: Record<string, string>;
  /** Fields beside `code`. */
  extra?: Record<string, unknown>;
  /** For the log, never for the caller. */
  reason?: string;
}

/** An expected refusal. Features subclass it beside their code; the exception filter renders it. */
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
