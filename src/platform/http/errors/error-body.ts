import type { AppError } from './app-error.js';
import { errorCode } from './error-table.js';

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
