import { AppError } from '../../platform/http/errors/app-error.js';

export class ConnectIdTaken extends AppError {
  constructor() {
    super('connect_id_taken', 'That third-party identity is linked to another account.');
  }
}

export class AccountLinked extends AppError {
  constructor() {
    super('account_linked', 'That account is linked to another identity of this provider.');
  }
}

export class LinkNotFound extends AppError {
  constructor() {
    super('link_not_found', 'No account is linked to that identity.');
  }
}

export class AccountNotFound extends AppError {
  constructor() {
    super('account_not_found', 'There is no such account.');
  }
}
