export interface FieldProblem {
  field: string;
  message: string;
}

/** An error answer of the service, or `network` when it could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly error: string,
    readonly details: FieldProblem[] = [],
    readonly retryAfter?: number,
    readonly requestId?: string,
    /** Replayed: the outcome of an earlier request with the same idempotency key. */
    readonly isStored = false,
  ) {
    super(error);
  }
}

interface ErrorBody {
  error?: unknown;
  details?: FieldProblem[];
  retry_after?: number;
  request_id?: string;
}

/** A proxy may answer in its own format: without our error name it counts as a network error. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const { error, details, retry_after, request_id } = (body ?? {}) as ErrorBody;
  if (typeof error !== 'string')
    return new ApiError(status === 429 ? 'too_many_requests' : 'network');
  const isStored = headers.get('Idempotency-Hit') === 'true';
  return new ApiError(error, details, retry_after, request_id, isStored);
}
