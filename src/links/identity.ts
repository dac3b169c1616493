/** Who somebody is elsewhere. */
export interface Identity {
  provider: string;
  connectId: string;
}

/** The provider of the forum login, and what a caller means who names none. */
export const FORUM = 'forum';

export const LONGEST_CONNECT_ID = 128;

/** Without space at its ends: MySQL takes `7` and `7 ` for the same text. */
export const CONNECT_ID = /^\S(?:.*\S)?$/s;
