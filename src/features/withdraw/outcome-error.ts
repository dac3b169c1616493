import type { AppError } from '../../platform/http/errors/app-error.js';
import type { ErrorName } from '../../platform/http/errors/error-table.js';
import { ServiceUnavailable } from '../../platform/http/errors/http.errors.js';
import {
  GameServerUnavailable,
  IdempotencyConflict,
  InsufficientBalance,
  RoleNotFound,
  WithdrawalRefused,
} from './withdraw.errors.js';
import { isFinal } from './record/withdrawal-status.js';
import type { Withdrawal } from './record/withdrawal.entity.js';

const BY_REASON: Partial<Record<ErrorName, new () => AppError>> = {
  insufficient_balance: InsufficientBalance,
  role_not_found: RoleNotFound,
  withdrawal_refused: WithdrawalRefused,
  game_server_unavailable: GameServerUnavailable,
  service_unavailable: ServiceUnavailable,
};

/** The error for a withdrawal in its current state; none if it succeeded or is unknown. */
export function outcomeError({ status, reason }: Withdrawal): AppError | undefined {
  if (status === 'succeeded' || status === 'unknown') return undefined;
  if (!isFinal(status)) return new IdempotencyConflict();
  const byDefault = status === 'refused' ? WithdrawalRefused : GameServerUnavailable;
  return new ((reason && BY_REASON[reason]) || byDefault)();
}
