import { EMAIL_RULES } from '../../../platform/http/validation/email-field.decorator.js';
import { TextField } from '../../../platform/http/validation/field.decorator.js';
import { LimitField, NoteDto } from '../pagination.dto.js';

export class FindPlayersDto {
  @TextField({ min: 0, max: 254, optional: true })
  q?: string;

  /** The name that the page before ended with. */
  @TextField({ max: 64, optional: true })
  after?: string;

  @LimitField()
  limit?: number;
}

export class TimelineDto {
  /** `next` of the page before, or a time. */
  @TextField({ max: 64, optional: true })
  before?: string;

  /** Separated by commas; all, where it is left out. */
  @TextField({ max: 100, optional: true })
  kinds?: string;

  @LimitField()
  limit?: number;
}

export class UnlockDto extends NoteDto {
  /** Whose lock for all accounts ends too. */
  @TextField({ max: 45, optional: true })
  address?: string;
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

  /** How the game writes the old name, where the servers do not agree. */
  @TextField({ max: 64, optional: true })
  gameAccount?: string;
}
