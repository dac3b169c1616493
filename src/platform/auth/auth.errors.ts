import { AppError } from '../http/errors/app-error.js';

export interface Ban {
  reason: string;
  /** This is null if the ban has no end. */
  until: string | null;
}

export class Unauthorized extends AppError {
  constructor() {
    super('unauthorized', 'Please sign in.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

export class AccountDisabled extends AppError {
  /** Omits the reason and the end if the account has no ban but its `disabled_at` is set. */
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
