/** The outcomes that an operator may settle a withdrawal with. */
export const SETTLED_OUTCOMES = ['succeeded', 'failed'] as const;
export type SettledOutcome = (typeof SETTLED_OUTCOMES)[number];
