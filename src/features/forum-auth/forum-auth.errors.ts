import { AppError } from '../../platform/http/errors/app-error.js';

export class OauthStateInvalid extends AppError {
  constructor() {
    super(
      'oauth_state_invalid',
      'This login has expired, was used before or belongs to another browser. Please start again.',
    );
  }
}

export class ForumDenied extends AppError {
  constructor() {
    super('forum_denied', 'You did not allow the forum to confirm who you are.');
  }
}

export class ForumUnavailable extends AppError {
  constructor(reason: string) {
    super('forum_unavailable', 'The forum did not respond properly. Please try again later.', {
      reason: `forum login: ${reason}`,
    });
  }
}

export class TicketInvalid extends AppError {
  constructor() {
    super('ticket_invalid', 'This forum login has been used or has expired. Please start again.');
  }
}
