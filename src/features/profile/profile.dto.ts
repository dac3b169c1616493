import { CodeField, NewPasswordField } from '../accounts/dto/account-rules.decorator.js';
import { PasskeyResponseField, TotpCodeField } from '../accounts/second-step/second-step.dto.js';
import type { PasskeyResponse } from '../second-factor/passkeys.js';
import { EmailField } from '../../platform/http/validation/email-field.decorator.js';
import { TextField } from '../../platform/http/validation/field.decorator.js';

/** One of them. */
export class ConfirmDto {
  @TextField({
    max: 128,
    optional: true,
    description:
      'no proof for withdrawals, second factors, mailbox and closing where the account has a second factor',
  })
  password?: string;
  @TotpCodeField() code?: string;
  @PasskeyResponseField() response?: PasskeyResponse;
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

export class UndoEmailDto {
  @TextField({ max: 1024, description: 'from the link in the mail' }) token: string;
}

export class ChangeEmailDto {
  @EmailField() email: string;
  @CodeField() code: string;
  @TextField({
    max: 128,
    optional: true,
    description:
      'where the account has one and no second factor; else a sign-in or `session/confirm` of the last 10 minutes is needed',
  })
  password?: string;
}
