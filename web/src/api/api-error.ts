export interface FieldProblem {
  field: string;
  message: string;
}

/** Why operators banned the player; until null: for good. */
export interface Ban {
  reason: string;
  until: string | null;
}

export type FactorMethod = 'totp' | 'passkey' | 'recovery_code';

/** What the second step of a sign-in needs. */
export interface SecondStep {
  ticket: string;
  methods: FactorMethod[];
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

/** A proxy may answer in its own format: without our error name it counts as a network error. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const { error, details, retry_after, request_id, ban, ticket, methods } = (body ??
    {}) as ErrorBody;
  if (typeof error !== 'string')
    return new ApiError(status === 429 ? 'too_many_requests' : 'network');
  const isStored = headers.get('Idempotency-Hit') === 'true';
  const step = ticket && methods && { ticket, methods };
  return new ApiError(error, details, retry_after, request_id, isStored, ban, step || undefined);
}
