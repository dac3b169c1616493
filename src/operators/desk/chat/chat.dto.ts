import { TextField, IntegerQueryField } from '../../../platform/http/validation/field.decorator.js';
import { CursorField, LimitField, TimeField } from '../pagination.dto.js';

export class FindChatDto {
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

  @CursorField()
  before?: number;

  @LimitField()
  limit?: number;
}
