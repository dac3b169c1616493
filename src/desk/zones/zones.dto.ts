import { TextField, WholeField, WholeQueryField } from '../../http/validation/field.decorator.js';
import { LARGEST_INT } from '../../http/validation/field-rules.js';
import { ZONE_STATUSES, type ZoneStatus } from '../../zones/zone.entity.js';
import { NoteDto, TIME_RULES } from '../list.dto.js';

export class PreviewDto {
  @WholeField({ max: LARGEST_INT, optional: true })
  id?: number;
}

export class StatusDto extends NoteDto {
  @TextField({
    max: 16,
    pattern: new RegExp(`^(${ZONE_STATUSES.join('|')})$`),
    hint: `must be one of ${ZONE_STATUSES.join(', ')}`,
  })
  status: ZoneStatus;

  /** A time, or `now`; left out: as it is. */
  @TextField({
    ...TIME_RULES,
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
