/** Every state of a withdrawal, and the states that may follow it. A state with none is final. */
const NEXT = {
  created: ['sending', 'refused', 'failed'],
  sending: ['succeeded', 'refused', 'failed', 'unknown'],
  succeeded: [],
  refused: [],
  failed: [],
  unknown: ['succeeded', 'failed'],
} as const satisfies Record<string, readonly string[]>;

export type WithdrawalStatus = keyof typeof NEXT;
export const WITHDRAWAL_STATUSES = Object.keys(NEXT) as WithdrawalStatus[];

/** While a withdrawal is in one of these, its role can start no other. */
export const OPEN_STATUSES = WITHDRAWAL_STATUSES.filter((status) => !isFinal(status));

/** Nothing was deducted: these do not count against the daily limit, and only these have a reason. */
export const WITHOUT_EFFECT: WithdrawalStatus[] = ['refused', 'failed'];

/** What a person's `reopen` leads to, from any final state of an order that was sent. */
export const REOPENED: WithdrawalStatus = 'unknown';

export function isFinal(status: WithdrawalStatus): boolean {
  return NEXT[status].length === 0;
}

export function mayFollow(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return (NEXT[from] as readonly WithdrawalStatus[]).includes(to);
}

export function mayReopen(from: WithdrawalStatus): boolean {
  return isFinal(from);
}
