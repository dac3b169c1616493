import { TextField } from '../../http/fields.js';
import { AccountField } from './account-fields.js';

export class LoginDto {
  @AccountField() account: string;
  @TextField({ max: 128 }) password: string;
}
