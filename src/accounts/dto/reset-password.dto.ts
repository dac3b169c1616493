import { EmailField } from '../../http/email-field.js';
import { AccountField, CodeField, NewPasswordField } from './account-fields.js';

export class ResetPasswordDto {
  @AccountField() account: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @NewPasswordField() password: string;
}
