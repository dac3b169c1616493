import { AppError } from '../http/app-error.js';

export class MailUnavailable extends AppError {
  constructor() {
    super('mail_unavailable', 'The mail could not be sent. Please try again later.');
  }
}
