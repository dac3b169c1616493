/** Every state of a withdrawal, and the states that may follow it. A state with none is final. */
const TRANSITIONS = {
  created: ['sending', 'refused', 'failed'],
  sending: ['succeeded', 'refused', 'failed', 'unknown'],
  succeeded: [],
  refused: [],
  failed: [],
  unknown: ['succeeded', 'failed'],
} as const satisfies Record<string, readonly string[]>;

export type WithdrawalStatus = keyof typeof TRANSITIONS;
export const WITHDRAWAL_STATUSES = Object.keys(TRANSITIONS) as WithdrawalStatus[];

/** While a withdrawal is in one of these, its role can start no other. */
export const OPEN_STATUSES = WITHDRAWAL_STATUSES.filter((status) => !isFinal(status));

/** Nothing was deducted: these do not count against the daily limit, and only these have a reason. */
export const STATUSES_WITHOUT_DEDUCTION: WithdrawalStatus[] = ['refused', 'failed'];

/** What a person's `reopen` leads to, from any final state of an order that was sent. */
export const REOPENED_STATUS: WithdrawalStatus = 'unknown';

export function isFinal(status: WithdrawalStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

export function canTransition(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return (TRANSITIONS[from] as readonly WithdrawalStatus[]).includes(to);
}

export function canReopen(from: WithdrawalStatus): boolean {
  return isFinal(from);
}
