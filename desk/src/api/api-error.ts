export interface FieldProblem {
  field: string;
  message: string;
}

/** Represents an error response of the desk, or `network` if the desk could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly error: string,
    /** The service writes this sentence in English. */
    readonly sentence = '',
    readonly problems: FieldProblem[] = [],
    readonly retryAfter?: number,
    readonly requestId?: string,
  ) {
    super(error);
  }
}

interface ErrorBody {
  error?: unknown;
  message?: string;
  details?: FieldProblem[];
  retry_after?: number;
  request_id?: string;
}

/**
 * A proxy may respond in its own format. A response without the name of an error counts as a
 * network error.
 */
export function toApiError(body: unknown): ApiError {
  const { error, message, details, retry_after, request_id } = Object(body) as ErrorBody;
  if (typeof error !== 'string') return new ApiError('network');
  const problems = Array.isArray(details) ? details : [];
  return new ApiError(error, message, problems, retry_after, request_id);
}
