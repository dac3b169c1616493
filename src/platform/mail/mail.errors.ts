import { AppError } from '../http/errors/app-error.js';

export class MailUnavailable extends AppError {
  /** The server had begun to accept the message, so it may still arrive. */
  readonly mayArrive: boolean;
  /** The server's reply code, such as 451; undefined: it did not answer. */
  readonly reply?: number;

  constructor(
    reason: string,
    { mayArrive = false, reply }: { mayArrive?: boolean; reply?: number } = {},
  ) {
    super('mail_unavailable', 'The mail could not be sent. Please try again later.', { reason });
    this.mayArrive = mayArrive;
    this.reply = reply;
  }
}

/** The player got many mails of this kind; nobody tries again. */
export class MailCapped extends Error {}

/** The limit of the whole service is reached. */
export class TooManyMails extends Error {
  constructor(readonly secondsLeft: number) {
    super('too many mails within a minute');
  }
}
