import type { WithdrawBody, Withdrawal } from '../api/contract';

/**
 * Each account has its own slot, so that another player who signs in in this tab does not overwrite an open key.
 */
const slotOf = (account: string) => `CQ-WITHDRAW:${account}`;
/** Earlier releases had one slot per tab. */
const OLD_SLOT = 'CQ-WITHDRAW';

export interface Attempt {
  account: string;
  key: string;
  body: WithdrawBody;
  roleName: string;
  serverName: string;
  startedAt: number;
  /** This was the newest withdrawal in the list before the request. */
  newestBefore?: number;
  unansweredAt?: number;
  /** The id is known once the service responds that the withdrawal is being checked. */
  id?: number;
}

/** Stores the attempt, so that a retry after a reload repeats the request under the same idempotency key. */
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

/**
 * Returns whether a listed withdrawal is the requested one. The requested withdrawal is newer than all that were
 * listed before the request, and has the same hero and amount.
 */
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
