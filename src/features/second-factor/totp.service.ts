import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { MINUTE_MS, requireRecentProof } from '../../platform/auth/recent-proof.js';
import { findTotpStep, generateTotpSecret, totpUri } from '../../platform/auth/totp.js';
import { openTotpSecret, sealTotpSecret } from '../../platform/auth/totp-seal.js';
import { Environment } from '../../platform/config/environment.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { FactorState } from './factor-state.js';
import { LockedAccount } from './locked-account.js';
import { PlayerTotp } from './player-totp.entity.js';
import { SecondFactorInvalid } from './second-factor.errors.js';
import type { UseFactor } from './use-factor.js';

const PENDING_MINUTES = 10;

/** Authenticator apps of players: set up, removed, and their codes. */
@Injectable()
export class TotpService {
  private readonly logger = new Logger(TotpService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly lockedAccount: LockedAccount,
    private readonly state: FactorState,
  ) {}

  /** Creates a secret that becomes active with its first right code. Replaces a pending one. */
  async begin(me: PlayerIdentity): Promise<{ secret: string; uri: string }> {
    const secret = generateTotpSecret();
    const pending = { playerId: me.id, secret: this.seal(me.id, secret), createdAt: new Date() };
    try {
      await this.lockedAccount.change(me, async (manager) => {
        await manager.delete(PlayerTotp, { playerId: me.id, confirmedAt: IsNull() });
        await manager.insert(PlayerTotp, pending);
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new InvalidRequest([{ field: 'totp', message: 'is on already: remove it first' }]);
    }
    return { secret, uri: totpUri(me.account, secret) };
  }

  /** Gives the recovery codes of a first factor. */
  async confirm(me: PlayerIdentity, code: string): Promise<string[]> {
    requireRecentProof(me);
    const notBefore = new Date(Date.now() - PENDING_MINUTES * MINUTE_MS);
    const pending = { playerId: me.id, confirmedAt: IsNull(), createdAt: MoreThan(notBefore) };
    const found = await this.find(pending);
    const lastStep = found && this.matchStep(found, code);
    if (!lastStep) throw new SecondFactorInvalid();
    return this.lockedAccount.change(me, async (manager) => {
      const shown = { ...pending, secret: found.secret };
      const confirmed = { confirmedAt: new Date(), lastStep };
      const { affected } = await manager.update(PlayerTotp, shown, confirmed);
      if (affected !== 1) throw new SecondFactorInvalid();
      return this.state.added(manager, me.id);
    });
  }

  /** True if the app was active; a pending one is only deleted. */
  async remove(me: PlayerIdentity): Promise<boolean> {
    return this.lockedAccount.change(me, async (manager) => {
      const confirmed = { playerId: me.id, confirmedAt: Not(IsNull()) };
      const { affected } = await manager.delete(PlayerTotp, confirmed);
      if (affected === 1) await this.state.removed(manager, me.id);
      else await manager.delete(PlayerTotp, { playerId: me.id });
      return affected === 1;
    });
  }

  /** Returns a function that uses up the code's time step; undefined if the code is wrong or was used. */
  async match(playerId: number, code: string): Promise<UseFactor | undefined> {
    const found = await this.find({ playerId, confirmedAt: Not(IsNull()) });
    const lastStep = found && this.matchStep(found, code);
    if (!lastStep || lastStep <= found.lastStep) return undefined;
    const unused = { playerId, secret: found.secret, lastStep: LessThan(lastStep) };
    return async (manager) =>
      (await manager.update(PlayerTotp, unused, { lastStep })).affected === 1;
  }

  private find(where: object): Promise<PlayerTotp | null> {
    return this.dataSource
      .createQueryBuilder(PlayerTotp, 't')
      .addSelect('t.secret')
      .where(where)
      .getOne();
  }

  private matchStep({ playerId, secret: sealed }: PlayerTotp, code: string): number | undefined {
    const owner = { kind: 'player', name: String(playerId) } as const;
    const secret = openTotpSecret(sealed, owner, this.environment.JWT_SECRET);
    if (secret !== undefined) return findTotpStep(secret, code.replaceAll(/\s/g, ''), Date.now());
    this.logger.warn(
      `player ${playerId}: cannot read the authenticator app's secret, JWT_SECRET has changed; the app must be set up again`,
    );
    return undefined;
  }

  private seal(playerId: number, secret: string): string {
    const owner = { kind: 'player', name: String(playerId) } as const;
    return sealTotpSecret(secret, owner, this.environment.JWT_SECRET);
  }
}
