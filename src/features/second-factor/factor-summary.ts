import { type EntityManager, IsNull, Not } from 'typeorm';
import { PlayerPasskey } from './player-passkey.entity.js';
import { PlayerTotp } from './player-totp.entity.js';
import { RecoveryCode } from './recovery-code.entity.js';

export interface FactorSummary {
  totp: boolean;
  passkeys: PlayerPasskey[];
  recoveryCodesLeft: number;
}

/** The second factors of an account. */
export async function summarizeFactors(
  manager: EntityManager,
  playerId: number,
): Promise<FactorSummary> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    manager.existsBy(PlayerTotp, { playerId, confirmedAt: Not(IsNull()) }),
    manager.find(PlayerPasskey, { where: { playerId }, order: { id: 'ASC' } }),
    manager.countBy(RecoveryCode, { playerId, usedAt: IsNull() }),
  ]);
  return { totp, passkeys, recoveryCodesLeft };
}
