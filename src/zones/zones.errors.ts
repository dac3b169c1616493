import { AppError } from '../http/errors/app-error.js';

export class ZoneNotFound extends AppError {
  constructor() {
    super('server_not_found', 'There is no such zone.');
  }
}

export class ZoneUnavailable extends AppError {
  constructor() {
    super('server_unavailable', 'This zone is not available right now.');
  }
}
