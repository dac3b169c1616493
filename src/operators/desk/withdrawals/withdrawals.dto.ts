import { TextField, IntegerQueryField } from '../../../platform/http/validation/field.decorator.js';
import { oneOf } from '../../../platform/http/validation/field-rules.js';
import {
  SETTLED_OUTCOMES,
  type SettledOutcome,
} from '../../actions/withdrawals/settled-outcome.js';
import {
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '../../../features/withdraw/record/withdrawal-status.js';
import { CursorField, LimitField, NoteDto, TimeField } from '../pagination.dto.js';

export class WithdrawalFilterDto {
  @TextField({ ...oneOf(WITHDRAWAL_STATUSES), optional: true })
  status?: WithdrawalStatus;

  @TextField({ max: 64, optional: true })
  account?: string;

  @IntegerQueryField({ optional: true })
  server?: number;

  @TimeField()
  since?: string;
}

export class FindWithdrawalsDto extends WithdrawalFilterDto {
  @CursorField()
  before?: number;

  @LimitField()
  limit?: number;
}

export class SettleDto extends NoteDto {
  @TextField(oneOf(SETTLED_OUTCOMES))
  outcome: SettledOutcome;
}
