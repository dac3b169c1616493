import { AppError } from '../http/errors/app-error.js';

export class Unauthorized extends AppError {
  constructor() {
    super('unauthorized', 'Please sign in.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

export class AccountDisabled extends AppError {
  constructor() {
    super('account_disabled', 'This account has been disabled.');
  }
}

export class CallerNotAllowed extends AppError {
  constructor() {
    super('caller_not_allowed', 'This caller is not allowed here.');
  }
}
