export interface FieldProblem {
  field: string;
  message: string;
}

/** Describes a ban that operators imposed. A ban without `until` is permanent. */
export interface Ban {
  reason: string;
  until: string | null;
}

export type FactorMethod = 'totp' | 'passkey' | 'recovery_code';

export interface SecondStep {
  ticket: string;
  methods: FactorMethod[];
}

/** Represents an error response of the service, or `network` if the service could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly error: string,
    readonly details: FieldProblem[] = [],
    readonly retryAfter?: number,
    readonly requestId?: string,
    /** True means that the response is the outcome of an earlier request with the same idempotency key. */
    readonly isStored = false,
    readonly ban?: Ban,
    readonly step?: SecondStep,
  ) {
    super(error);
  }
}

interface ErrorBody {
  error?: unknown;
  details?: FieldProblem[];
  retry_after?: number;
  request_id?: string;
  ban?: Ban;
  ticket?: string;
  methods?: FactorMethod[];
}

/** A proxy may respond in its own format. A response without the name of an error counts as a network error. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const { error, details, retry_after, request_id, ban, ticket, methods } = (body ??
    {}) as ErrorBody;
  if (typeof error !== 'string')
    return new ApiError(status === 429 ? 'too_many_requests' : 'network');
  const isStored = headers.get('Idempotency-Hit') === 'true';
  const step = ticket && methods && { ticket, methods };
  return new ApiError(error, details, retry_after, request_id, isStored, ban, step || undefined);
}
