import { AppError } from '../http/app-error.js';

export class ServerNotFound extends AppError {
  constructor() {
    super('server_not_found', 'There is no such zone.');
  }
}

export class ServerUnavailable extends AppError {
  constructor() {
    super('server_unavailable', 'The zone does not allow this now.');
  }
}
