import { TextField } from '../../http/validation/field.decorator.js';
import { AccountField } from './account-field.decorator.js';

export class LoginDto {
  @AccountField() account: string;
  @TextField({ max: 128 }) password: string;
}
