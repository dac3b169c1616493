import { type Role, ROLES } from '../actions/operators/role.js';

/** Which roles may call which routes. Pages offer only the actions of this list. */
export const MAY_READ = ROLES;

const HELPERS: readonly Role[] = ['support', 'moderator', 'admin'];
const MODERATORS: readonly Role[] = ['moderator', 'admin'];
const ADMINS: readonly Role[] = ['admin'];
const TREASURERS: readonly Role[] = ['treasury', 'admin'];

export const PLAYER_ACTION_ROLES = {
  unlock: HELPERS,
  sign_out: HELPERS,
  end_session: HELPERS,
  secure: HELPERS,
  keep: HELPERS,
  ban: MODERATORS,
  unban: MODERATORS,
  disable: MODERATORS,
  enable: MODERATORS,
  rename: MODERATORS,
  set_email: ADMINS,
  set_password: ADMINS,
  unlink: ADMINS,
  reset_second_factor: ADMINS,
  /** `secure` with a new mailbox, or of an account with a second factor. */
  secure_email: ADMINS,
} as const;
export type PlayerAction = keyof typeof PLAYER_ACTION_ROLES;

export const WITHDRAWAL_ACTION_ROLES = {
  settle: TREASURERS,
  settle_cancel: TREASURERS,
  settle_decline: TREASURERS,
  reopen: TREASURERS,
} as const;

export const MAY_CHANGE_SERVERS = ADMINS;
export const MAY_EXPORT_WITHDRAWALS = TREASURERS;
export const MAY_READ_CHAT = MODERATORS;
export const MAY_READ_AUDIT = ADMINS;
export const MAY_MANAGE_OPERATORS = ADMINS;

/** Roles whose views of a player or a withdrawal are audited. */
const WATCHED: readonly Role[] = TREASURERS;

export function hasAuditedViews(role: Role): boolean {
  return WATCHED.includes(role);
}

export function actionsForRole<T extends string>(
  table: Record<T, readonly Role[]>,
  role: Role,
): T[] {
  return (Object.keys(table) as T[]).filter((act) => table[act].includes(role));
}
