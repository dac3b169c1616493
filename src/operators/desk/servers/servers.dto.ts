import {
  TextField,
  IntegerField,
  IntegerQueryField,
} from '../../../platform/http/validation/field.decorator.js';
import { MAX_INT, oneOf, TIME_RULES } from '../../../platform/http/validation/field-rules.js';
import {
  SERVER_STATUSES,
  type ServerStatus,
} from '../../../features/servers/game-server.entity.js';
import { NoteDto } from '../pagination.dto.js';

export class PreviewDto {
  @IntegerField({ max: MAX_INT, optional: true })
  id?: number;
}

export class StatusDto extends NoteDto {
  @TextField(oneOf(SERVER_STATUSES))
  status: ServerStatus;

  /** A time, or `now`; omitted: unchanged. */
  @TextField({
    max: TIME_RULES.max,
    hint: TIME_RULES.hint,
    pattern: new RegExp(`^now$|${TIME_RULES.pattern.source}`),
    optional: true,
  })
  openAt?: string;
}

export class MergeQueryDto {
  @IntegerQueryField({ max: MAX_INT })
  into: number;
}

export class MergeDto extends NoteDto {
  @IntegerField({ max: MAX_INT })
  into: number;
}
