import { FlagField, TextField } from '../../../platform/http/validation/field.decorator.js';
import { LoginNameField, REMEMBER } from './account-field.decorator.js';

export class LoginDto {
  @LoginNameField() account: string;
  @TextField({ max: 128 }) password: string;
  @FlagField(REMEMBER) remember?: boolean;
}
