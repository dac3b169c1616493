import type { ApiError } from '../api/api-error';
import type { Withdrawal } from '../api/contract';

/**
 * The answers by which a request says that it has moved nothing and never will. Every other error (no connection,
 * a crash, a limit in between) leaves open what became of the request that was sent.
 */
const REFUSALS = new Set([
  'invalid_request',
  'server_not_found',
  'server_unavailable',
  'role_not_found',
  'withdrawal_open',
  'insufficient_balance',
  'amount_out_of_range',
  'withdrawal_refused',
  'withdrawal_disabled',
  'game_server_unavailable',
  'idempotency_key_reused',
]);

/**
 * How long a request that was never answered may still be on its way to the row that bears its key. A phone that was
 * out of reach goes on sending it for some 100 s, even after the page gave up. The service then takes 50 s at most:
 * 5 each for the token, the key, the zone and the role, and 30 for the transaction that writes the row.
 */
export const STILL_UNDER_WAY_MS = 180_000;

type Refused = Pick<ApiError, 'error' | 'isStored'>;

export function isRefusal({ error, isStored }: Refused): boolean {
  return isStored || REFUSALS.has(error);
}

/**
 * A stored refusal is how the key has ended. Any other is the word of this one request: an earlier one with the same
 * key that was never answered, sent `since` milliseconds before it, may have been behind it and deduct yet.
 */
export function leavesOutcomeOpen(refused: Refused, since = Infinity): boolean {
  return !refused.isStored && (!isRefusal(refused) || since < STILL_UNDER_WAY_MS);
}

export function isSettled({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'succeeded' || status === 'refused' || status === 'failed';
}

/** How long to wait before asking again: soon at first, then ever less often. */
export function pauseBeforeAsking(asked: number): number {
  return Math.min(3_000 * 1.6 ** asked, 60_000);
}
