import { TextField, WholeQueryField } from '../../http/validation/field.decorator.js';
import { BeforeField, LimitField, TimeField } from '../list.dto.js';

export class FindChatDto {
  @WholeQueryField({ optional: true })
  zone?: number;

  @TextField({ max: 64, optional: true })
  account?: string;

  @TimeField()
  since?: string;

  @TimeField()
  until?: string;

  /** Separated by spaces; a line must have all of them. */
  @TextField({ max: 100, optional: true })
  words?: string;

  @BeforeField()
  before?: number;

  @LimitField()
  limit?: number;
}
