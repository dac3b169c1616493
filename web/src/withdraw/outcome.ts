import type { ApiError } from '../api/api-error';
import type { Withdrawal } from '../api/contract';

/**
 * The answers after which it is certain that this key has moved nothing and never will. Every other error
 * (no connection, a crash, a limit in between) leaves open what became of the request that was sent.
 */
const CERTAIN = new Set([
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

export function leavesOutcomeOpen({
  error,
  isStored,
}: Pick<ApiError, 'error' | 'isStored'>): boolean {
  return !isStored && !CERTAIN.has(error);
}

export function isSettled({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'succeeded' || status === 'refused' || status === 'failed';
}

/** How long to wait before asking again: soon at first, then ever less often. */
export function pauseBeforeAsking(asked: number): number {
  return Math.min(3_000 * 1.6 ** asked, 60_000);
}
