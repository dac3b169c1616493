/** In the order in which a person at night looks for them. */
export const PLAYER_ACTS = [
  'unlock',
  'sign_out',
  'secure',
  'disable',
  'enable',
  'rename',
  'set_email',
  'set_password',
  'unlink',
] as const;
export type PlayerAct = (typeof PLAYER_ACTS)[number];

/** Only what the service says that this role may do now. */
export function actsIn(may: readonly string[]): PlayerAct[] {
  return PLAYER_ACTS.filter((act) => may.includes(act));
}
