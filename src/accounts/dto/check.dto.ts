import { TextField } from '../../http/fields.js';
import { AccountField } from './account-fields.js';

export class CheckDto {
  @AccountField() account: string;
  @TextField({ max: 2048, description: 'the old md5 token of a game client, or a JWT' })
  token: string;
}
