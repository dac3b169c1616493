import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { PlayerPasskey } from './player-passkey.entity.js';
import { PlayerTotp } from './player-totp.entity.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { RecoveryCodes } from './recovery-codes.js';

/** Keeps `player.has_second_factor` and the recovery codes in step with the factors, in the transaction of a change. */
@Injectable()
export class FactorState {
  constructor(private readonly recoveryCodes: RecoveryCodes) {}

  /** Recovery codes with the first factor, else none. */
  async added(manager: EntityManager, playerId: number): Promise<string[]> {
    const first = { id: playerId, hasSecondFactor: false };
    const { affected } = await manager.update(Player, first, { hasSecondFactor: true });
    return affected === 1 ? this.recoveryCodes.replace(manager, playerId) : [];
  }

  /** Those of a thief, who adds them shortly before or after the mailbox is changed. */
  async removeSince(manager: EntityManager, playerId: number, since: Date): Promise<void> {
    const added = { playerId, createdAt: MoreThan(since) };
    for (const table of [PlayerPasskey, PlayerTotp]) await manager.delete(table, added);
    await this.removed(manager, playerId);
  }

  async removed(manager: EntityManager, playerId: number): Promise<void> {
    const hasSecondFactor =
      (await manager.existsBy(PlayerTotp, { playerId, confirmedAt: Not(IsNull()) })) ||
      (await manager.existsBy(PlayerPasskey, { playerId }));
    if (!hasSecondFactor) await manager.delete(RecoveryCode, { playerId });
    const withdrawPausedAt = new Date();
    await manager.update(Player, { id: playerId }, { hasSecondFactor, withdrawPausedAt });
  }
}

/** For operators, and for an account that closes. The caller has locked the player. */
export async function removeAllFactors(manager: EntityManager, playerId: number): Promise<void> {
  for (const table of [PlayerTotp, PlayerPasskey, RecoveryCode])
    await manager.delete(table, { playerId });
  const withdrawPausedAt = new Date();
  await manager.update(Player, { id: playerId }, { hasSecondFactor: false, withdrawPausedAt });
}
