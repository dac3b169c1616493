import { AppError } from '../../platform/http/errors/app-error.js';

export class OauthStateInvalid extends AppError {
  constructor() {
    super('oauth_state_invalid', 'This login was not started here, or too long ago.');
  }
}

export class ForumDenied extends AppError {
  constructor() {
    super('forum_denied', 'The forum was not allowed to tell who you are.');
  }
}

export class ForumUnavailable extends AppError {
  constructor(reason: string) {
    super('forum_unavailable', 'The forum did not answer properly. Please try again later.', {
      reason: `forum login: ${reason}`,
    });
  }
}

export class TicketInvalid extends AppError {
  constructor() {
    super('ticket_invalid', 'This forum login has been used or has expired. Please start again.');
  }
}
