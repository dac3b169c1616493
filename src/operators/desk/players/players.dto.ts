import { EMAIL_RULES } from '../../../platform/http/validation/email-field.decorator.js';
import { BAN_SCOPES, type BanScope } from '../../../platform/auth/ban-scope.js';
import { IntegerField, TextField } from '../../../platform/http/validation/field.decorator.js';
import { oneOf } from '../../../platform/http/validation/field-rules.js';
import { LimitField, NoteDto } from '../pagination.dto.js';

export class FindPlayersDto {
  @TextField({ min: 0, max: 254, optional: true })
  q?: string;

  /** The last name of the previous page. */
  @TextField({ max: 64, optional: true })
  after?: string;

  @LimitField()
  limit?: number;
}

export class TimelineDto {
  /** `next` of the previous page, or a time. */
  @TextField({ max: 64, optional: true })
  before?: string;

  /** Separated by commas; all kinds if omitted. */
  @TextField({ max: 100, optional: true })
  kinds?: string;

  @LimitField()
  limit?: number;
}

export class BanDto extends NoteDto {
  @TextField(oneOf(BAN_SCOPES))
  scope: BanScope;

  @TextField({ max: 200 })
  reason: string;

  /** Omitted: for good. */
  @IntegerField({ max: 24 * 3660, optional: true })
  hours?: number;
}

export class UnlockDto extends NoteDto {
  /** The address whose lock for all accounts ends too. */
  @TextField({ max: 45, optional: true })
  address?: string;
}

export class EndSessionDto extends NoteDto {
  @IntegerField()
  session: number;
}

export class SetEmailDto extends NoteDto {
  @TextField(EMAIL_RULES)
  email: string;
}

export class SecureDto extends NoteDto {
  @TextField({ ...EMAIL_RULES, optional: true })
  email?: string;
}

export class SetPasswordDto extends NoteDto {
  @TextField({ max: 64 })
  password: string;
}

export class UnlinkDto extends NoteDto {
  @TextField({ max: 32 })
  provider: string;
}

export class RenameDto extends NoteDto {
  @TextField({ max: 64 })
  name: string;

  /** The game's spelling of the old name, if the servers do not agree. */
  @TextField({ max: 64, optional: true })
  gameAccount?: string;
}
