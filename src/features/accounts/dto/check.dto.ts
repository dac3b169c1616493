import { TextField } from '../../../platform/http/validation/field.decorator.js';
import { AccountField } from './account-rules.decorator.js';

export class CheckDto {
  @AccountField() account: string;
  @TextField({ max: 2048, description: 'the old md5 token of a game client, or a JWT' })
  token: string;
}
