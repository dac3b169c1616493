import type { Ban } from '../../../platform/auth/auth.errors.js';
import { AppError } from '../../../platform/http/errors/app-error.js';
import type { ErrorName } from '../../../platform/http/errors/error-table.js';
import { ServiceUnavailable } from '../../../platform/http/errors/http.errors.js';
import { isFinal } from './withdrawal-status.js';
import type { Withdrawal } from './withdrawal.entity.js';

export class RoleNotFound extends AppError {
  constructor() {
    super('role_not_found', 'You have no such role on this server.');
  }
}

export class WithdrawalNotFound extends AppError {
  constructor() {
    super('withdrawal_not_found', 'You have no such withdrawal.');
  }
}

export class WithdrawalOpen extends AppError {
  constructor() {
    super('withdrawal_open', 'An earlier withdrawal of this role is still being checked.');
  }
}

export class WithdrawalDisabled extends AppError {
  constructor() {
    super('withdrawal_disabled', 'Withdrawals are switched off at the moment.');
  }
}

export class WithdrawalBanned extends AppError {
  constructor(ban: Ban) {
    super('withdrawal_banned', 'This account may not withdraw.', { extra: { ban } });
  }
}

export class WithdrawalPaused extends AppError {
  constructor(retryAfter: number) {
    super(
      'withdrawal_paused',
      'The password was reset or the e-mail address changed. Withdrawals are paused for a while.',
      { retryAfter },
    );
  }
}

export class IdempotencyConflict extends AppError {
  constructor() {
    super('idempotency_conflict', 'This request is still being worked on.', { retryAfter: 5 });
  }
}

export class IdempotencyKeyReused extends AppError {
  constructor() {
    super('idempotency_key_reused', 'This Idempotency-Key came with another request before.');
  }
}

export class AmountOutOfRange extends AppError {
  constructor(problem: string) {
    super('amount_out_of_range', 'This amount cannot be withdrawn.', {
      details: [{ field: 'amount', message: problem }],
    });
  }
}

export class InsufficientBalance extends AppError {
  constructor() {
    super('insufficient_balance', 'The balance does not cover this amount.');
  }
}

export class WithdrawalRefused extends AppError {
  constructor() {
    super('withdrawal_refused', 'The game server refused. Nothing was deducted.');
  }
}

export class GameServerUnavailable extends AppError {
  constructor(reason?: string) {
    const message = 'The game server cannot be reached now. Nothing was deducted.';
    super('game_server_unavailable', message, { retryAfter: 30, reason });
  }
}

/** Reports that a withdrawal whose outcome had been unknown was not carried out. */
class WithdrawalNotCarriedOut extends AppError {
  constructor() {
    super('game_server_unavailable', 'The withdrawal was not carried out. Nothing was deducted.');
  }
}

const BY_REASON: Partial<Record<ErrorName, new () => AppError>> = {
  insufficient_balance: InsufficientBalance,
  role_not_found: RoleNotFound,
  withdrawal_refused: WithdrawalRefused,
  game_server_unavailable: GameServerUnavailable,
  service_unavailable: ServiceUnavailable,
};

export function outcomeError({ status, reason }: Withdrawal): AppError | undefined {
  if (status === 'succeeded' || status === 'unknown') return undefined;
  if (!isFinal(status)) return new IdempotencyConflict();
  const byDefault = status === 'refused' ? WithdrawalRefused : WithdrawalNotCarriedOut;
  return new ((reason && BY_REASON[reason]) || byDefault)();
}
