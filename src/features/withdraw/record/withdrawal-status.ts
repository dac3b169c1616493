/** Maps each status of a withdrawal to the statuses that may follow. A status without successors is final. */
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
 * A role with a withdrawal in one of these statuses cannot start another. The empty status is included, because MySQL
 * without strict mode stores it for a misspelt one. SQL lists the statuses, because MariaDB uses no index for NOT IN.
 */
export const OPEN_STATUSES = [
  ...WITHDRAWAL_STATUSES.filter((status) => !isFinal(status)),
  '' as WithdrawalStatus,
];
export const OPEN_STATUS_LIST = toSqlList(OPEN_STATUSES);

/** These statuses have a reason and do not count towards the daily limit, because nothing was deducted. */
export const STATUSES_WITHOUT_DEDUCTION: WithdrawalStatus[] = ['refused', 'failed'];
export const LIST_WITHOUT_DEDUCTION = toSqlList(STATUSES_WITHOUT_DEDUCTION);

export const REOPENED_STATUS: WithdrawalStatus = 'unknown';

export function isFinal(status: WithdrawalStatus): boolean {
  return FINAL_STATUSES.includes(status);
}

/** Returns false for a status that was misspelt in an SQL edit. */
export function isReadable(status: WithdrawalStatus): boolean {
  return WITHDRAWAL_STATUSES.includes(status);
}

export function canTransition(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return (TRANSITIONS[from] as readonly WithdrawalStatus[]).includes(to);
}

function toSqlList(statuses: WithdrawalStatus[]): string {
  return statuses.map((status) => `'${status}'`).join(', ');
}
