import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import {
  FlagField,
  ObjectField,
  TextField,
} from '../../../platform/http/validation/field.decorator.js';
import type { PasskeyResponse } from '../../second-factor/passkeys.js';
import type { SecondFactorProof } from '../../second-factor/second-factors.js';
import { REMEMBER_DESCRIPTION } from '../dto/account-rules.decorator.js';

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
  @TextField({ max: 4096, description: 'from the answer to the first step' }) ticket: string;
  @TotpCodeField() code?: string;
  @TextField({ max: 32, optional: true, description: 'one of the ten', example: 'ABCDEFGHJK' })
  recoveryCode?: string;
  @PasskeyResponseField() response?: PasskeyResponse;
}

/** Exactly one of the three. */
export function toProof(dto: Omit<SecondStepDto, 'ticket'>): SecondFactorProof {
  const { code, recoveryCode, response } = dto;
  const given = [code, recoveryCode, response].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new InvalidRequest([{ field: 'code', message: 'exactly one proof is needed' }]);
  if (code !== undefined) return { method: 'totp', code };
  if (recoveryCode !== undefined) return { method: 'recovery_code', code: recoveryCode };
  return { method: 'passkey', response: response! };
}
