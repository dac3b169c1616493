import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import {
  type PlayerIdentity,
  MINUTE_MS,
  requireRecentProof,
} from '../../platform/auth/identity.service.js';
import {
  findTotpStep,
  generateTotpSecret,
  totpUri,
  openTotpSecret,
  sealTotpSecret,
} from '../../platform/auth/totp.js';
import { Environment } from '../../platform/config/environment.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { FactorChanges } from './factor-changes.js';
import { PlayerTotp } from './second-factor.entities.js';
import { SecondFactorInvalid } from './second-factor.errors.js';

const PENDING_MINUTES = 10;

@Injectable()
export class AuthenticatorAppService {
  private readonly logger = new Logger(AuthenticatorAppService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly changes: FactorChanges,
  ) {}

  /** Creates a secret that becomes active with the first correct code. A pending secret is replaced. */
  async begin(me: PlayerIdentity): Promise<{ secret: string; uri: string }> {
    const secret = generateTotpSecret();
    const pending = { playerId: me.id, secret: this.seal(me.id, secret), createdAt: currentDate() };
    try {
      await this.changes.inTransaction(me, async (manager) => {
        await manager.delete(PlayerTotp, { playerId: me.id, confirmedAt: IsNull() });
        await manager.insert(PlayerTotp, pending);
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new InvalidRequest([{ field: 'totp', message: 'is already set up; remove it first' }]);
    }
    return { secret, uri: totpUri(me.account, secret) };
  }

  /** Returns recovery codes if the app is the first factor, otherwise an empty list. */
  async confirm(me: PlayerIdentity, code: string): Promise<string[]> {
    requireRecentProof(me);
    const notBefore = new Date(currentTime() - PENDING_MINUTES * MINUTE_MS);
    const pending = { playerId: me.id, confirmedAt: IsNull(), createdAt: MoreThan(notBefore) };
    const found = await this.find(pending);
    const lastStep = found && this.matchStep(found, code);
    if (!lastStep) throw new SecondFactorInvalid();
    return this.changes.inTransaction(me, async (manager) => {
      const shown = { ...pending, secret: found.secret };
      const confirmed = { confirmedAt: currentDate(), lastStep, sessionId: me.sid ?? null };
      const { affected } = await manager.update(PlayerTotp, shown, confirmed);
      if (affected !== 1) throw new SecondFactorInvalid();
      return this.changes.added(manager, me.id);
    });
  }

  /** Returns false if the app was only pending. */
  async remove(me: PlayerIdentity): Promise<boolean> {
    return this.changes.inTransaction(me, async (manager) => {
      const confirmed = { playerId: me.id, confirmedAt: Not(IsNull()) };
      const { affected } = await manager.delete(PlayerTotp, confirmed);
      if (affected === 1) await this.changes.removed(manager, me.id);
      else await manager.delete(PlayerTotp, { playerId: me.id });
      return affected === 1;
    });
  }

  /** Returns a function that uses up the code's time step, or undefined if the code is wrong or already used. */
  async match(playerId: number, code: string) {
    const found = await this.find({ playerId, confirmedAt: Not(IsNull()) });
    const lastStep = found && this.matchStep(found, code);
    if (!lastStep || lastStep <= found.lastStep) return undefined;
    const unused = { playerId, secret: found.secret, lastStep: LessThan(lastStep) };
    return async (manager: EntityManager) =>
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
    if (secret !== undefined)
      return findTotpStep(secret, code.replaceAll(/\s/g, ''), currentTime());
    this.logger.warn(
      `player ${playerId}: cannot read the authenticator app's secret, because JWT_SECRET has changed; the app must be set up again`,
    );
    return undefined;
  }

  private seal(playerId: number, secret: string): string {
    const owner = { kind: 'player', name: String(playerId) } as const;
    return sealTotpSecret(secret, owner, this.environment.JWT_SECRET);
  }
}
