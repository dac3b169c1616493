/**
 * Every table with rows of a player, and what becomes of them when the account is closed. A test finds new ones.
 * `audit_event` stays whole: the service may be allowed to add to it only.
 */

/** Ways in: deleted in the transaction that closes the account. */
export const WAYS_IN = [
  'mailbox_undo',
  'player_connect_threeparty',
  'player_passkey',
  'player_recovery_code',
  'player_totp',
  'session',
];

/** Traces: there may be many, so they are deleted after that, some at a time. */
export const TRACES = ['login_address', 'login_event', 'mail_event', 'refused_request'];

/** Kept by the player's id: money, bans, and names that nobody may take. */
export const KEPT = [
  'import_player',
  'player_alias',
  'player_ban',
  'player_zone',
  'withdraw',
  'withdraw_orphan',
];
