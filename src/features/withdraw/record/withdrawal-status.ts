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

const FINAL_STATUSES = WITHDRAWAL_STATUSES.filter((status) => TRANSITIONS[status].length === 0);
export const FINAL_STATUS_LIST = toSqlList(FINAL_STATUSES);

/**
 * While a withdrawal is in one of these, its role cannot start another. The empty one is what a session without strict
 * mode stores for a typo. Listed one by one, because MariaDB uses no index for NOT IN.
 */
export const OPEN_STATUSES = [
  ...WITHDRAWAL_STATUSES.filter((status) => !isFinal(status)),
  '' as WithdrawalStatus,
];
export const OPEN_STATUS_LIST = toSqlList(OPEN_STATUSES);

/** Nothing was deducted: these do not count against the daily limit, and only these have a reason. */
export const STATUSES_WITHOUT_DEDUCTION: WithdrawalStatus[] = ['refused', 'failed'];
export const LIST_WITHOUT_DEDUCTION = toSqlList(STATUSES_WITHOUT_DEDUCTION);

/** The status after `reopen`, from any final status of an order that was sent. */
export const REOPENED_STATUS: WithdrawalStatus = 'unknown';

export function isFinal(status: WithdrawalStatus): boolean {
  return FINAL_STATUSES.includes(status);
}

/** False for a misspelt status. */
export function isReadable(status: WithdrawalStatus): boolean {
  return WITHDRAWAL_STATUSES.includes(status);
}

export function canTransition(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return (TRANSITIONS[from] as readonly WithdrawalStatus[]).includes(to);
}

export function canReopen(from: WithdrawalStatus): boolean {
  return isFinal(from);
}

function toSqlList(statuses: WithdrawalStatus[]): string {
  return statuses.map((status) => `'${status}'`).join(', ');
}
