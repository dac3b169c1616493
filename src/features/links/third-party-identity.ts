/** A third-party identity. */
export interface ThirdPartyIdentity {
  provider: string;
  connectId: string;
}

/** The provider of the forum login, and the default of the callbacks. */
export const FORUM_PROVIDER = 'forum';

export const MAX_CONNECT_ID_LENGTH = 128;

/** No space at either end: to MySQL, `7` equals `7 `. */
export const CONNECT_ID_PATTERN = /^\S(?:.*\S)?$/s;
