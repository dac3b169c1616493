import { type Role, ROLES } from './access/role.js';

/** Who may what. The routes and the lists of acts on a page read it here. */
export const MAY_READ = ROLES;

const HELPERS: readonly Role[] = ['support', 'moderator', 'admin'];
const MODERATORS: readonly Role[] = ['moderator', 'admin'];
const ADMINS: readonly Role[] = ['admin'];
const TREASURERS: readonly Role[] = ['treasury', 'admin'];

export const PLAYER_ACTS = {
  unlock: HELPERS,
  sign_out: HELPERS,
  secure: HELPERS,
  disable: MODERATORS,
  enable: MODERATORS,
  rename: MODERATORS,
  set_email: ADMINS,
  set_password: ADMINS,
  unlink: ADMINS,
  /** `secure` with another mailbox. */
  secure_email: ADMINS,
} as const;
export type PlayerAct = keyof typeof PLAYER_ACTS;

export const WITHDRAWAL_ACTS = {
  settle: TREASURERS,
  settle_cancel: TREASURERS,
  reopen: TREASURERS,
} as const;

export const MAY_CHANGE_ZONES = ADMINS;
export const MAY_READ_CHAT = MODERATORS;
export const MAY_READ_AUDIT = ADMINS;

/** Whose views of a player's or withdrawal's page are written down. */
const WATCHED: readonly Role[] = TREASURERS;

export function isWatched(role: Role): boolean {
  return WATCHED.includes(role);
}

export function actsOf<T extends string>(table: Record<T, readonly Role[]>, role: Role): T[] {
  return (Object.keys(table) as T[]).filter((act) => table[act].includes(role));
}
