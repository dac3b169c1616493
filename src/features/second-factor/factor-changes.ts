import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { SignInAgain } from '../../platform/auth/auth.errors.js';
import {
  MINUTE_MS,
  type PlayerIdentity,
  RECENT_PROOF_MINUTES,
  requireRecentConfirmation,
  requireRecentProof,
} from '../../platform/auth/identity.service.js';
import { lockUnchangedPlayer } from '../../platform/auth/player-row-lock.js';
import { Player } from '../../platform/auth/player.entity.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { endTrust } from '../sessions/sessions.service.js';
import { RecoveryCodes } from './recovery-codes.js';
import { PlayerPasskey, PlayerTotp, RecoveryCode } from './second-factor.entities.js';

/** Changes an account's second factors, and keeps `player.has_second_factor` and the recovery codes consistent. */
@Injectable()
export class FactorChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /**
   * Runs a change requested by the owner in a transaction, under the player's lock. Throws unless the owner was
   * verified recently, or if the account has since got its first factor or a new password.
   */
  async inTransaction<T>(
    me: PlayerIdentity,
    change: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    requireRecentProof(me);
    return this.inLockedTransaction(me, change);
  }

  /**
   * Throws unless the owner was verified recently. If this session set up the app recently, a recent password sign-in
   * is enough to add another factor, because the caller could also enter the app's code.
   */
  async requireProofForAdding(me: PlayerIdentity): Promise<void> {
    const since = new Date(currentTime() - RECENT_PROOF_MINUTES * MINUTE_MS);
    const own = { playerId: me.id, sessionId: me.sid ?? 0, confirmedAt: MoreThan(since) };
    if (await this.dataSource.manager.existsBy(PlayerTotp, own)) requireRecentConfirmation(me);
    else requireRecentProof(me);
  }

  /** Runs a change after the caller of this method has verified the owner. */
  inLockedTransaction<T>(
    me: PlayerIdentity,
    change: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.rowQueue.inTransaction(`player ${me.id}`, async (manager) => {
      if (!(await lockUnchangedPlayer(manager, me))) throw new SignInAgain();
      return change(manager);
    });
  }

  /** Updates the player after a factor was added. Returns recovery codes if this factor is the first one. */
  async added(manager: EntityManager, playerId: number): Promise<string[]> {
    const first = { id: playerId, hasSecondFactor: false };
    const { affected } = await manager.update(Player, first, { hasSecondFactor: true });
    await endTrust(manager, playerId);
    return affected === 1 ? this.recoveryCodes.replace(manager, playerId) : [];
  }

  /** Updates the player after a factor was removed. Returns whether another factor remains. */
  async removed(manager: EntityManager, playerId: number): Promise<boolean> {
    const hasSecondFactor =
      (await manager.existsBy(PlayerTotp, { playerId, confirmedAt: Not(IsNull()) })) ||
      (await manager.existsBy(PlayerPasskey, { playerId }));
    if (!hasSecondFactor) await manager.delete(RecoveryCode, { playerId });
    const withdrawPausedAt = currentDate();
    await manager.update(Player, { id: playerId }, { hasSecondFactor, withdrawPausedAt });
    await endTrust(manager, playerId);
    return hasSecondFactor;
  }

  /** Removes an unconfirmed app and all factors added after `since`. Returns whether other factors remain. */
  async removeSince(manager: EntityManager, playerId: number, since: Date): Promise<boolean> {
    await manager.delete(PlayerPasskey, { playerId, createdAt: MoreThan(since) });
    for (const confirmedAt of [IsNull(), MoreThan(since)])
      await manager.delete(PlayerTotp, { playerId, confirmedAt });
    return this.removed(manager, playerId);
  }

  renewRecoveryCodes(me: PlayerIdentity): Promise<string[]> {
    return this.inTransaction(me, async (manager) => {
      if (!me.hasSecondFactor)
        throw new InvalidRequest([{ field: 'two_factor', message: 'there is no second factor' }]);
      await endTrust(manager, me.id);
      return this.recoveryCodes.replace(manager, me.id);
    });
  }
}

/** Removes all factors for operators. The caller must hold the player's lock. */
export async function removeAllFactors(manager: EntityManager, playerId: number): Promise<void> {
  for (const table of [PlayerTotp, PlayerPasskey, RecoveryCode])
    await manager.delete(table, { playerId });
  const withdrawPausedAt = currentDate();
  await manager.update(Player, { id: playerId }, { hasSecondFactor: false, withdrawPausedAt });
  await endTrust(manager, playerId);
}
