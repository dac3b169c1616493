import { AppError } from '../http/errors/app-error.js';

export class MailUnavailable extends AppError {
  /** The server had begun to take the message, so it may arrive all the same. */
  readonly mayArrive: boolean;

  constructor(reason: string, { mayArrive = false } = {}) {
    super('mail_unavailable', 'The mail could not be sent. Please try again later.', { reason });
    this.mayArrive = mayArrive;
  }
}

/** The ceiling of the whole service is reached. */
export class TooManyMails extends Error {
  constructor(readonly secondsLeft: number) {
    super('too many mails within a minute');
  }
}
