import { TextField } from '../../../platform/http/validation/field.decorator.js';
import { CursorField, LimitField, TimeField } from '../pagination.dto.js';

class TimeRangeDto {
  @TimeField()
  since?: string;

  @TimeField()
  until?: string;
}

export class FindAuditDto extends TimeRangeDto {
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

export class ExportAuditDto extends TimeRangeDto {
  @TextField({ max: 4, pattern: /^(csv|json)$/, hint: 'must be csv or json' })
  format: 'csv' | 'json';
}
