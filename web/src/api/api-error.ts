export interface FieldProblem {
  field: string;
  message: string;
}

/** A refusal by the service, or `network` when it could not be asked. */
export class ApiError extends Error {
  constructor(
    readonly error: string,
    readonly details: FieldProblem[] = [],
    readonly retryAfter?: number,
    readonly requestId?: string,
    /** It is how an earlier request with the same key ended. */
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

/** Something between here and the service may answer in a language of its own: that is not a word of the service. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const { error, details, retry_after, request_id } = (body ?? {}) as ErrorBody;
  if (typeof error !== 'string')
    return new ApiError(status === 429 ? 'too_many_requests' : 'network');
  const isStored = headers.get('Idempotency-Hit') === 'true';
  return new ApiError(error, details, retry_after, request_id, isStored);
}
