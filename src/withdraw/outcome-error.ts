import type { AppError } from '../http/app-error.js';
import type { ErrorName } from '../http/error-table.js';
import { ServiceUnavailable } from '../http/http.errors.js';
import {
  GameServerUnavailable,
  IdempotencyConflict,
  InsufficientBalance,
  RoleNotFound,
  WithdrawalRefused,
} from './withdraw.errors.js';
import type { Withdrawal } from './withdrawal.entity.js';

const BY_REASON: Partial<Record<ErrorName, new () => AppError>> = {
  insufficient_balance: InsufficientBalance,
  role_not_found: RoleNotFound,
  withdrawal_refused: WithdrawalRefused,
  game_server_unavailable: GameServerUnavailable,
  service_unavailable: ServiceUnavailable,
};

/** The error that a withdrawal in its present state is answered with; none for one that succeeded or is unknown. */
export function outcomeError({ status, reason }: Withdrawal): AppError | undefined {
  if (status === 'succeeded' || status === 'unknown') return undefined;
  if (status === 'created' || status === 'sending') return new IdempotencyConflict();
  const byDefault = status === 'refused' ? WithdrawalRefused : GameServerUnavailable;
  return new ((reason && BY_REASON[reason]) || byDefault)();
}
