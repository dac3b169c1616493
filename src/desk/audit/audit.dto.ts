import { TextField } from '../../http/validation/field.decorator.js';
import { BeforeField, LimitField, TimeField } from '../list.dto.js';

class SpanDto {
  @TimeField()
  since?: string;

  @TimeField()
  until?: string;
}

export class FindAuditDto extends SpanDto {
  @TextField({ max: 64, optional: true })
  subject?: string;

  @TextField({ max: 64, optional: true })
  by?: string;

  @TextField({ max: 32, optional: true })
  act?: string;

  @BeforeField()
  before?: number;

  @LimitField()
  limit?: number;
}

export class ExportAuditDto extends SpanDto {
  @TextField({ max: 4, pattern: /^(csv|json)$/, hint: 'must be csv or json' })
  format: 'csv' | 'json';
}
