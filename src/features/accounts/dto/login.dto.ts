import { FlagField, TextField } from '../../../platform/http/validation/field.decorator.js';
import { LoginNameField, REMEMBER_DESCRIPTION } from './account-rules.decorator.js';

export class LoginDto {
  @LoginNameField() account: string;
  @TextField({ max: 128 }) password: string;
  @FlagField(REMEMBER_DESCRIPTION) remember?: boolean;
}
