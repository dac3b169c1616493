/** In the order in which an operator on call needs them. */
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
] as const;
/** The other has its buttons in the list of sessions. */
export type PlayerAct = (typeof PLAYER_ACTS)[number] | 'end_session';

/** Only what the service says this role may do now. */
export function actsIn(may: readonly string[]): PlayerAct[] {
  return PLAYER_ACTS.filter((act) => may.includes(act));
}
