import { AppError } from '../http/errors/app-error.js';

export class MailUnavailable extends AppError {
  constructor(reason: string) {
    super('mail_unavailable', 'The mail could not be sent. Please try again later.', { reason });
  }
}
