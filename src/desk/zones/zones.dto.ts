import { TextField, WholeField, WholeQueryField } from '../../http/validation/field.decorator.js';
import { LARGEST_INT, oneOf, TIME_RULES } from '../../http/validation/field-rules.js';
import { ZONE_STATUSES, type ZoneStatus } from '../../zones/zone.entity.js';
import { NoteDto } from '../list.dto.js';

export class PreviewDto {
  @WholeField({ max: LARGEST_INT, optional: true })
  id?: number;
}

export class StatusDto extends NoteDto {
  @TextField(oneOf(ZONE_STATUSES))
  status: ZoneStatus;

  /** A time, or `now`; left out: as it is. */
  @TextField({
    max: TIME_RULES.max,
    hint: TIME_RULES.hint,
    pattern: new RegExp(`^now$|${TIME_RULES.pattern.source}`),
    optional: true,
  })
  openAt?: string;
}

export class MergeQueryDto {
  @WholeQueryField({ max: LARGEST_INT })
  into: number;
}

export class MergeDto extends NoteDto {
  @WholeField({ max: LARGEST_INT })
  into: number;
}
