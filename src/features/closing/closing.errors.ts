import { AppError } from '../../platform/http/errors/app-error.js';

export class AccountBusy extends AppError {
  constructor() {
    super('account_busy', 'The account cannot be closed while a withdrawal is open.');
  }
}

export class ClosingDisabled extends AppError {
  constructor() {
    super(
      'closing_disabled',
      'You cannot close your account yourself here. Please contact support.',
    );
  }
}
