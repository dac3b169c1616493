import type { WithdrawBody, Withdrawal } from '../api/contract';

/** One slot for each account: another player who signs in in this tab must not overwrite an open key. */
const slotOf = (account: string) => `CQ-WITHDRAW:${account}`;
/** Earlier releases had one slot for the tab. */
const OLD_SLOT = 'CQ-WITHDRAW';

/** A withdrawal that was requested and whose outcome this page does not know yet. */
export interface Attempt {
  account: string;
  key: string;
  body: WithdrawBody;
  roleName: string;
  serverName: string;
  startedAt: number;
  /** The newest withdrawal in the list before this one was requested. */
  newestBefore?: number;
  /** When the last request without an answer was sent. */
  unansweredAt?: number;
  /** Known once the service answers that it is being checked. */
  id?: number;
}

/** Survives a reload, so that a retry repeats the request under the same idempotency key. */
export function keepAttempt(attempt: Attempt): void {
  sessionStorage.setItem(slotOf(attempt.account), JSON.stringify(attempt));
  clearOldSlot(attempt.account);
}

export function keptAttempt(account: string | null): Attempt | undefined {
  if (account === null) return undefined;
  return [slotOf(account), OLD_SLOT].map(read).find((kept) => kept?.account === account);
}

export function forgetAttempt({ account }: Pick<Attempt, 'account'>): void {
  sessionStorage.removeItem(slotOf(account));
  clearOldSlot(account);
}

/** Whether a withdrawal of the list is the requested one: newer than all before it, with the same hero and amount. */
export function isOf({ body, newestBefore }: Attempt, withdrawal: Withdrawal): boolean {
  return (
    newestBefore !== undefined &&
    withdrawal.id > newestBefore &&
    withdrawal.server_id === body.server_id &&
    withdrawal.role_id === body.role_id &&
    withdrawal.amount === body.amount
  );
}

function clearOldSlot(account: string): void {
  if (read(OLD_SLOT)?.account === account) sessionStorage.removeItem(OLD_SLOT);
}

function read(slot: string): Attempt | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(slot) ?? 'null') as Attempt | null;
    return kept && typeof kept.key === 'string' && kept.body ? kept : undefined;
  } catch {
    return undefined;
  }
}
