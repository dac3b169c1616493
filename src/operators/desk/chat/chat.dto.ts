import { TextField, IntegerQueryField } from '../../../platform/http/validation/field.decorator.js';
import { CursorField, LimitField, TimeField } from '../pagination.dto.js';

export class ChatFilterDto {
  @IntegerQueryField({ optional: true })
  server?: number;

  @TextField({ max: 64, optional: true })
  account?: string;

  @TimeField()
  since?: string;

  @TimeField()
  until?: string;

  /** Separated by spaces; a line must have all of them. */
  @TextField({ max: 100, optional: true })
  words?: string;
}

export class FindChatDto extends ChatFilterDto {
  @CursorField()
  before?: number;

  @LimitField()
  limit?: number;
}
