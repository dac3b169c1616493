import { CodeField, NewPasswordField } from '../accounts/dto/account-rules.decorator.js';
import { EmailField } from '../../platform/http/validation/email-field.decorator.js';
import { TextField } from '../../platform/http/validation/field.decorator.js';

export class ConfirmDto {
  @TextField({ max: 128 }) password: string;
}

export class ChangePasswordDto {
  @TextField({
    max: 128,
    optional: true,
    description: 'the present one, where the account has one',
  })
  oldPassword?: string;

  @NewPasswordField() password: string;
}

export class ChangeEmailDto {
  @EmailField() email: string;
  @CodeField() code: string;
  @TextField({
    max: 128,
    optional: true,
    description: 'in place of a sign-in of the last 10 minutes',
  })
  password?: string;
}
