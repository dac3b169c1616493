import { BAN_SCOPES, type BanScope } from '../../../platform/auth/ban.js';
import {
  EMAIL_RULES,
  IntegerField,
  oneOf,
  TextField,
} from '../../../platform/http/validation/field.decorator.js';
import { LimitField, NoteDto } from '../http/pagination.dto.js';

export class FindPlayersDto {
  @TextField({ min: 0, max: 254, optional: true })
  q?: string;

  /** The page continues after this account name. */
  @TextField({ max: 64, optional: true })
  after?: string;

  @LimitField()
  limit?: number;
}

export class TimelineDto {
  /** Accepts `next` of the previous page, or a time. */
  @TextField({ max: 64, optional: true })
  before?: string;

  /** Kinds are separated by commas. By default, all kinds are included. */
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

  /** If the hours are missing, the ban never ends. */
  @IntegerField({ max: 24 * 3660, optional: true })
  hours?: number;
}

export class UnbanDto extends NoteDto {
  /** Without an id, all bans in force are lifted. */
  @IntegerField({ optional: true })
  ban?: number;
}

export class UnlockDto extends NoteDto {
  /** This address is unlocked for all accounts. */
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

  /** The game's spelling of the old name is required if the servers spell it differently. */
  @TextField({ max: 64, optional: true })
  gameAccount?: string;
}
