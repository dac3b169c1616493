import { AppError } from '../http/errors/app-error.js';
import type { Ban } from './ban.js';

export class Unauthorized extends AppError {
  constructor() {
    super('unauthorized', 'Please sign in.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

export class AccountDisabled extends AppError {
  /** `ban`: if there is one; `disabled_at` has neither reason nor end. */
  constructor(ban?: Ban) {
    const message = `This account has been ${ban ? 'banned' : 'disabled'}.`;
    super('account_disabled', message, { extra: ban && { ban } });
  }
}

export class SignInAgain extends AppError {
  constructor() {
    super('sign_in_again', 'Please sign in again, or confirm your password.');
  }
}

export class CallerNotAllowed extends AppError {
  constructor() {
    super('caller_not_allowed', 'This caller is not allowed here.');
  }
}
