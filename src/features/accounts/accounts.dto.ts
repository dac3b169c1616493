import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import {
  EmailField,
  FlagField,
  IntegerField,
  MAX_INT,
  ObjectField,
  TextField,
} from '../../platform/http/validation/field.decorator.js';
import type { PasskeyResponse } from '../second-factor/passkeys.js';
import type { SecondFactorProof } from '../second-factor/second-factors.js';
import { CODE_DIGITS } from '../verify/code-store.js';
import { NewPasswordField } from './password-rules.js';

/** Allows names that the rules for new names forbid, because imported names stay valid. */
const AccountField = () => TextField({ max: 64, example: 'dragon_slayer' });

export const REMEMBER_DESCRIPTION =
  'whether to stay signed in; if `remember.enabled` is true in the configuration, the response sets a cookie for `/api/session/refresh`';

export const NEW_ACCOUNT_RULES = {
  min: 4,
  max: 20,
  pattern: /^[A-Za-z0-9_]+$/,
  hint: 'must be letters, digits and _',
  example: 'dragon_slayer',
};

export const CodeField = () =>
  TextField({
    min: CODE_DIGITS,
    max: CODE_DIGITS,
    pattern: /^[0-9]+$/,
    hint: `must be ${CODE_DIGITS} digits`,
    example: '1234567890'.slice(0, CODE_DIGITS),
    description: 'the e-mailed code',
  });

export class CheckDto {
  @AccountField() account: string;
  @TextField({ max: 2048, description: 'the old md5 token of a game client, or a JWT' })
  token: string;
}

export class LoginDto {
  @TextField({
    max: 254,
    example: 'dragon_slayer',
    description: "the account's name or, if no account has that name, its e-mail address",
  })
  account: string;
  @TextField({ max: 128 }) password: string;
  @FlagField(REMEMBER_DESCRIPTION) remember?: boolean;
}

export class RegisterDto {
  @TextField(NEW_ACCOUNT_RULES) account: string;
  @NewPasswordField() password: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @IntegerField({ max: MAX_INT, description: 'the chosen server', example: 1 }) serverId: number;
  @TextField({ min: 0, max: 64, optional: true, example: 'iPhone' }) device?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'iOS 19' }) os?: string;
  @TextField({ min: 0, max: 64, optional: true, example: 'Safari 19' }) browse?: string;
  @FlagField(REMEMBER_DESCRIPTION) remember?: boolean;
}

export class ResetPasswordDto {
  @AccountField() account: string;
  @EmailField() email: string;
  @CodeField() code: string;
  @NewPasswordField() password: string;
  @FlagField('also unlinks every third-party identity of the account') dropLinks?: boolean;
}

export const TotpCodeField = () =>
  TextField({
    max: 16,
    optional: true,
    description: 'the six digits of the authenticator app',
    example: '123456',
  });

export const PasskeyResponseField = () => ObjectField('the WebAuthn assertion, as JSON');

export class PasskeyLoginDto {
  @PasskeyResponseField() response?: PasskeyResponse;
  @FlagField(REMEMBER_DESCRIPTION) remember?: boolean;
}

export class SecondStepDto {
  @TextField({ max: 4096, description: 'from the response to the first step' }) ticket: string;
  @TotpCodeField() code?: string;
  @TextField({
    max: 32,
    optional: true,
    description: 'an unused recovery code',
    example: 'ABCDEFGHJK',
  })
  recoveryCode?: string;
  @PasskeyResponseField() response?: PasskeyResponse;
  @FlagField(
    'whether to trust this browser; if `trust.enabled` is true in the configuration, the response sets a cookie with which logins skip the second step',
  )
  trust?: boolean;
}

export function toProof(dto: Omit<SecondStepDto, 'ticket' | 'trust'>): SecondFactorProof {
  const { code, recoveryCode, response } = dto;
  const given = [code, recoveryCode, response].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new InvalidRequest([
      { field: 'code', message: 'exactly one of code, recovery_code and response is required' },
    ]);
  if (code !== undefined) return { method: 'totp', code };
  if (recoveryCode !== undefined) return { method: 'recovery_code', code: recoveryCode };
  return { method: 'passkey', response: response! };
}
