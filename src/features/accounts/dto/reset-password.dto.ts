import { EmailField } from '../../../platform/http/validation/email-field.decorator.js';
import { FlagField } from '../../../platform/http/validation/field.decorator.js';
import { AccountField, CodeField, NewPasswordField } from './account-rules.decorator.js';

export class ResetPasswordDto {
  @AccountField() account: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @NewPasswordField() password: string;
  @FlagField('also unlinks every third-party identity of the account') dropLinks?: boolean;
}
