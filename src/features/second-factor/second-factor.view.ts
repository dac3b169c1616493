import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { PlayerPasskey } from './second-factor.entities.js';
import type { FactorSummary } from './second-factors.js';

export class PasskeyView {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: 'phone' }) name: string;
  @ApiProperty({ type: String, format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) used_at: string | null;
}

export class TwoFactorView {
  @ApiProperty({ description: 'whether the account has an authenticator app' }) totp: boolean;
  @ApiProperty({ type: [PasskeyView] }) passkeys: PasskeyView[];
  @ApiProperty({ type: 'integer', description: 'number of unused codes' })
  recovery_codes_left: number;
}

export class TotpSecretView {
  @ApiProperty({ description: 'in base32, to type into the app' }) secret: string;
  @ApiProperty({ example: 'otpauth://totp/Gatehouse:dragon_slayer?issuer=…' }) uri: string;
}

export class RecoveryCodesView {
  @ApiProperty({ type: [String], description: 'shown only this once' }) recovery_codes: string[];
}

@ApiSchema({ description: 'Options for `navigator.credentials`, in the JSON format of WebAuthn' })
export class PasskeyOptionsView {
  @ApiProperty({ description: 'in base64url; valid once' }) challenge: string;
  [field: string]: unknown;
}

export class NewPasskeyView extends RecoveryCodesView {
  @ApiProperty({ type: PasskeyView }) passkey: PasskeyView;
}

export function toPasskeyView({ id, name, createdAt, usedAt }: PlayerPasskey): PasskeyView {
  const used_at = usedAt?.toISOString() ?? null;
  return { id, name, created_at: createdAt.toISOString(), used_at };
}

export function toTwoFactorView(summary: FactorSummary): TwoFactorView {
  const { totp, passkeys, recoveryCodesLeft: recovery_codes_left } = summary;
  return { totp, passkeys: passkeys.map(toPasskeyView), recovery_codes_left };
}

export function toPasskeyOptionsView(options: { challenge: string }): PasskeyOptionsView {
  return { ...options };
}
