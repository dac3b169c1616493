import type { ApiError } from '../api/api-error.js';

/**
 * These errors guarantee that the request deducted nothing. After any other error (network, crash, rate limit) the
 * outcome is open.
 */
const REFUSALS = new Set([
  'invalid_request',
  // The service identifies the caller before it does anything else.
  'unauthorized',
  'account_disabled',
  'server_not_found',
  'server_unavailable',
  'role_not_found',
  'withdrawal_open',
  'insufficient_balance',
  'amount_out_of_range',
  'withdrawal_refused',
  'withdrawal_disabled',
  'withdrawal_banned',
  'withdrawal_paused',
  'sign_in_again',
  'game_server_unavailable',
  'idempotency_key_reused',
]);

/**
 * A request without a response may still reach the service and be recorded for this long. A phone without coverage
 * keeps retransmitting for about 100 s, even after the page has given up. The service then takes at most 50 s: 5 s each
 * for the token, the key, the server and the role, and 30 s for the transaction that writes the row.
 */
export const STILL_UNDER_WAY_MS = 180_000;

type Refused = Pick<ApiError, 'error' | 'isStored'>;

export function isRefusal({ error, isStored }: Refused): boolean {
  return isStored || REFUSALS.has(error);
}

/**
 * A stored refusal is final for its key. Any other refusal applies only to its own request. An earlier request
 * with the same key that got no response, sent `since` milliseconds before, may arrive later and still deduct.
 */
export function leavesOutcomeOpen(refused: Refused, since = Infinity): boolean {
  return !refused.isStored && (!isRefusal(refused) || since < STILL_UNDER_WAY_MS);
}

/** The page waits this long between two queries about an open withdrawal. */
export const ASK_EVERY_MS = 5_000;
