import { TextField } from '../../../platform/http/validation/field.decorator.js';
import { CursorField, LimitField, TimeField } from '../pagination.dto.js';

export class AuditPeriodDto {
  @TimeField()
  since?: string;

  @TimeField()
  until?: string;
}

export class FindAuditDto extends AuditPeriodDto {
  @TextField({ max: 64, optional: true })
  subject?: string;

  @TextField({ max: 64, optional: true })
  by?: string;

  @TextField({ max: 32, optional: true })
  act?: string;

  @CursorField()
  before?: number;

  @LimitField()
  limit?: number;
}
