import { AppError } from '../http/errors/app-error.js';

export class MailUnavailable extends AppError {
  /** This is true if the server had begun to accept the message, which may therefore still arrive. */
  readonly mayArrive: boolean;
  /** The reply is the server's code, such as 451, or undefined if the server did not respond. */
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

/** Reports that the player caused too many e-mails of this kind, so this one is never sent. `mail_event` records it. */
export class MailCapped extends Error {}

export class TooManyMails extends Error {
  constructor(readonly secondsLeft: number) {
    super('too many mails within a minute');
  }
}
