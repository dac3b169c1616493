import { type Role, ROLES } from '../../actions/operators/operator.entity.js';

const MAILBOX = /([^\s"'<>(),;:@])[^\s"<>(),;:@]*@([\w-]+(?:\.[\w-]+)+)/gu;

const HELPERS: readonly Role[] = ['support', 'moderator', 'admin'];
const MODERATORS: readonly Role[] = ['moderator', 'admin'];
const ADMINS: readonly Role[] = ['admin'];
const TREASURERS: readonly Role[] = ['treasury', 'admin'];

/** Maps each player action to the roles that may perform it. */
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
  close: ADMINS,
  export: ADMINS,
  /** Allows `secure` with a new e-mail address or for an account with a second factor. */
  secure_email: ADMINS,
} as const;
export type PlayerAction = keyof typeof PLAYER_ACTION_ROLES;

export const WITHDRAWAL_ACTION_ROLES = {
  settle: TREASURERS,
  settle_cancel: TREASURERS,
  settle_decline: TREASURERS,
  reopen: TREASURERS,
} as const;

export const MAY_READ = ROLES;
export const MAY_CHANGE_SERVERS = ADMINS;
export const MAY_EXPORT_WITHDRAWALS = TREASURERS;
export const MAY_READ_CHAT = MODERATORS;
export const MAY_BLOCK_ADDRESSES = MODERATORS;
export const MAY_RESEND_EVENTS = ADMINS;
export const MAY_READ_AUDIT = ADMINS;
export const MAY_MANAGE_OPERATORS = ADMINS;

export function hasAuditedViews(role: Role): boolean {
  return TREASURERS.includes(role);
}

export function actionsForRole<T extends string>(
  table: Record<T, readonly Role[]>,
  role: Role,
): T[] {
  return (Object.keys(table) as T[]).filter((act) => table[act].includes(role));
}

/** Masks e-mail addresses in any text as `a•••@example.com`, except for the role `admin`. */
export function maskMailboxes<T extends string | null>(text: T, role: Role): T {
  return (text === null || role === 'admin' ? text : text.replaceAll(MAILBOX, '$1•••@$2')) as T;
}

/** Masks each string of a JSON value separately, because in serialised text an escape could match the pattern. */
export function maskMailboxesDeep<T>(state: T, role: Role): T {
  return JSON.parse(JSON.stringify(state ?? null), (_name, value: unknown) =>
    typeof value === 'string' ? maskMailboxes(value, role) : value,
  ) as T;
}
