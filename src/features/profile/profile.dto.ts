import {
  EmailField,
  TextField,
  TIME_RULES,
} from '../../platform/http/validation/field.decorator.js';
import {
  CodeField,
  NEW_ACCOUNT_RULES,
  PasskeyResponseField,
  TotpCodeField,
} from '../accounts/accounts.dto.js';
import { NewPasswordField } from '../accounts/password-rules.js';
import type { PasskeyResponse } from '../second-factor/passkeys.js';

/** Requires exactly one of the three fields. */
export class ConfirmDto {
  @TextField({
    max: 128,
    optional: true,
    description:
      'not sufficient for withdrawals, second factors, mailbox and closing if the account has a second factor',
  })
  password?: string;
  @TotpCodeField() code?: string;
  @PasskeyResponseField() response?: PasskeyResponse;
}

export class SignInsQuery {
  @TextField({ ...TIME_RULES, optional: true, description: 'only earlier sign-ins' })
  before?: string;
}

export class ChooseNameDto {
  @TextField(NEW_ACCOUNT_RULES) account: string;
}

export class ChangePasswordDto {
  @TextField({
    max: 128,
    optional: true,
    description: 'the current password, required if the account has one',
  })
  oldPassword?: string;

  @NewPasswordField() password: string;
}

export class UndoEmailDto {
  @TextField({ max: 1024, description: 'the token in the link of the mail' }) token: string;
}

export class ChangeEmailDto {
  @EmailField() email: string;
  @CodeField() code: string;
  @TextField({
    max: 128,
    optional: true,
    description:
      'required if the account has a password and no second factor; otherwise a sign-in or `session/confirm` within the last 10 minutes is required',
  })
  password?: string;
}
