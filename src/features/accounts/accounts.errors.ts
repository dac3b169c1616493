import { AppError } from '../../platform/http/errors/app-error.js';

export class BadCredentials extends AppError {
  constructor() {
    super('bad_credentials', 'The account or the password is wrong.');
  }
}

export class LoginThrottled extends AppError {
  constructor(retryAfter: number) {
    super('login_throttled', 'Too many failed logins. Please wait before the next try.', {
      retryAfter,
    });
  }
}

export class RegistrationCapReached extends AppError {
  constructor(retryAfter: number) {
    super(
      'registration_cap_reached',
      'No more accounts can be registered today. Please come back tomorrow.',
      { retryAfter },
    );
  }
}

export class AccountTaken extends AppError {
  constructor() {
    super('account_taken', 'This account name is taken.');
  }
}

export class EmailTaken extends AppError {
  constructor() {
    super('email_taken', 'Another account uses this e-mail address.');
  }
}

export class TokenInvalid extends AppError {
  constructor() {
    super('token_invalid', 'The token is not valid for this account.');
  }
}
