import { AppError } from '../../platform/http/errors/app-error.js';

export class ServerNotFound extends AppError {
  constructor() {
    super('server_not_found', 'There is no such server.');
  }
}

export class ServerUnavailable extends AppError {
  constructor() {
    super('server_unavailable', 'This server is not available right now.');
  }
}
