/** Lists the actions in the order in which an operator on call needs them. */
export const PLAYER_ACTS = [
  'unlock',
  'sign_out',
  'secure',
  'ban',
  'unban',
  'keep',
  'disable',
  'enable',
  'rename',
  'set_email',
  'set_password',
  'unlink',
  'reset_second_factor',
  'close',
  'export',
] as const;
/** `end_session` has its buttons in the session list. */
export type PlayerAct = (typeof PLAYER_ACTS)[number] | 'end_session';

/** Returns the allowed actions that have a button on the player's page, in the order of `PLAYER_ACTS`. */
export function actsIn(may: readonly string[]): PlayerAct[] {
  return PLAYER_ACTS.filter((act) => may.includes(act));
}
