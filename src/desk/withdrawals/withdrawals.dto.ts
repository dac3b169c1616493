import { TextField, WholeQueryField } from '../../http/validation/field.decorator.js';
import { oneOf } from '../../http/validation/field-rules.js';
import {
  SETTLED_OUTCOMES,
  type SettledOutcome,
} from '../../withdraw/record/settle-request.entity.js';
import {
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '../../withdraw/record/withdrawal-states.js';
import { BeforeField, LimitField, NoteDto, TimeField } from '../list.dto.js';

export class FindWithdrawalsDto {
  @TextField({ ...oneOf(WITHDRAWAL_STATUSES), optional: true })
  status?: WithdrawalStatus;

  @TextField({ max: 64, optional: true })
  account?: string;

  @WholeQueryField({ optional: true })
  zone?: number;

  @TimeField()
  since?: string;

  @BeforeField()
  before?: number;

  @LimitField()
  limit?: number;
}

export class SettleDto extends NoteDto {
  @TextField(oneOf(SETTLED_OUTCOMES))
  outcome: SettledOutcome;
}
