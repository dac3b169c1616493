import { ApiProperty } from '@nestjs/swagger';
import type { PlayerPasskey } from './player-passkey.entity.js';
import type { FactorSummary } from './factor-summary.js';

export class PasskeyView {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: 'phone' }) name: string;
  @ApiProperty({ type: String, format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) used_at: string | null;
}

export class TwoFactorView {
  @ApiProperty({ description: 'whether there is an authenticator app' }) totp: boolean;
  @ApiProperty({ type: [PasskeyView] }) passkeys: PasskeyView[];
  @ApiProperty({ type: 'integer', description: 'unused ones' }) recovery_codes_left: number;
}

export class TotpSecretView {
  @ApiProperty({ description: 'in base32, to type in' }) secret: string;
  @ApiProperty({ example: 'otpauth://totp/Gatehouse:dragon_slayer?issuer=…' }) uri: string;
}

export class RecoveryCodesView {
  @ApiProperty({ type: [String], description: 'shown this once' }) recovery_codes: string[];
}

export function toPasskeyView({ id, name, createdAt, usedAt }: PlayerPasskey): PasskeyView {
  const used_at = usedAt?.toISOString() ?? null;
  return { id, name, created_at: createdAt.toISOString(), used_at };
}

export function toTwoFactorView(summary: FactorSummary): TwoFactorView {
  const { totp, passkeys, recoveryCodesLeft: recovery_codes_left } = summary;
  return { totp, passkeys: passkeys.map(toPasskeyView), recovery_codes_left };
}
