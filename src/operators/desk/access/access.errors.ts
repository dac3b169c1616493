import { AppError } from '../../../platform/http/errors/app-error.js';

export class NotSignedIn extends AppError {
  constructor() {
    super('unauthorized', 'Please sign in.');
  }
}

export class RoleNotAllowed extends AppError {
  constructor() {
    super('forbidden', 'Your role does not allow this.');
  }
}

/** Rejects a request from another site. Only the log contains the reason, because the client may be hostile. */
export class CrossSiteRequest extends AppError {
  constructor(reason: string) {
    super('forbidden', 'This request did not come from the desk.', { reason });
  }
}

export class WrongCredentials extends AppError {
  constructor() {
    super('bad_credentials', 'The name, the password or the code is wrong.');
  }
}

export class SignInThrottled extends AppError {
  constructor(retryAfter: number) {
    super('login_throttled', 'Too many failed tries. Please wait before the next one.', {
      retryAfter,
    });
  }
}
