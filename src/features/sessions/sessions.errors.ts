import { AppError } from '../../platform/http/errors/app-error.js';

export class SessionEnded extends AppError {
  constructor() {
    super('session_ended', 'You are no longer signed in here. Please sign in.');
  }
}

export class SessionNotFound extends AppError {
  constructor() {
    super('session_not_found', 'This account has no such session.');
  }
}
