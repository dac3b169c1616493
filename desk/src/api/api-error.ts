/** What is wrong with a field, in the service's words. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** An error answer of the desk, or `network` when it could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly error: string,
    /** The service's own words, in English. */
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

/** A proxy may answer in its own format: without our error name it counts as a network error. */
export function toApiError(body: unknown): ApiError {
  const { error, message, details, retry_after, request_id } = Object(body) as ErrorBody;
  if (typeof error !== 'string') return new ApiError('network');
  const problems = Array.isArray(details) ? details : [];
  return new ApiError(error, message, problems, retry_after, request_id);
}
