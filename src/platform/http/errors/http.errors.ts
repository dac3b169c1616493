import { AppError, type FieldProblem } from './app-error.js';

export class InvalidRequest extends AppError {
  constructor(details?: FieldProblem[], message = 'The request is not well-formed.') {
    super('invalid_request', message, { details });
  }
}

export class IpDenied extends AppError {
  constructor() {
    super('ip_denied', 'Requests from this address are not accepted.');
  }
}

export class NotFound extends AppError {
  constructor() {
    super('not_found', 'There is nothing at this address.');
  }
}

export class MethodNotAllowed extends AppError {
  constructor(allowed: string[]) {
    const list = allowed.join(', ');
    super('method_not_allowed', `This path supports only ${list}.`, { headers: { Allow: list } });
  }
}

export class BodyTooLarge extends AppError {
  constructor() {
    super('body_too_large', 'The request is too large.');
  }
}

export class UnsupportedMediaType extends AppError {
  constructor() {
    super('unsupported_media_type', 'The request body must be JSON in UTF-8 (application/json).');
  }
}

export class TooManyRequests extends AppError {
  constructor(retryAfter: number) {
    super('too_many_requests', 'Too many requests. Please wait a moment.', { retryAfter });
  }
}

export class InternalError extends AppError {
  constructor() {
    super('internal_error', 'Something went wrong on our side.');
  }
}

export class ServiceUnavailable extends AppError {
  constructor(reason?: string) {
    super('service_unavailable', 'The service is not available right now. Please try again soon.', {
      retryAfter: 5,
      reason,
    });
  }
}
