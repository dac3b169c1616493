/** A third-party identity. */
export interface Identity {
  provider: string;
  connectId: string;
}

/** The provider of the forum login, and the default of the callbacks. */
export const FORUM = 'forum';

export const LONGEST_CONNECT_ID = 128;

/** No space at either end: to MySQL, `7` equals `7 `. */
export const CONNECT_ID = /^\S(?:.*\S)?$/s;
