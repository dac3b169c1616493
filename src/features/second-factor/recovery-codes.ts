import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret } from 'otpauth';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Environment } from '../../platform/config/environment.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { LockedAccount } from './locked-account.js';
import { RecoveryCode } from './recovery-code.entity.js';
import type { UseFactor } from './use-factor.js';

const CODES = 10;
const CODE_LENGTH = 10;

/** Codes for a player whose app or passkey is lost. Each works once. */
@Injectable()
export class RecoveryCodes {
  private readonly key: Uint8Array;

  constructor(
    private readonly dataSource: DataSource,
    private readonly lockedAccount: LockedAccount,
    // Not from JWT_SECRET: a new one makes the apps useless, and these are the way back.
    { PASSWORD_KEY }: Environment,
  ) {
    this.key = new Uint8Array(hkdfSync('sha256', PASSWORD_KEY, '', 'gatehouse recovery code', 32));
  }

  /** At the owner's request. */
  renew(me: PlayerIdentity): Promise<string[]> {
    return this.lockedAccount.change(me, (manager) => {
      if (!me.hasSecondFactor)
        throw new InvalidRequest([{ field: 'two_factor', message: 'there is no second factor' }]);
      return this.replace(manager, me.id);
    });
  }

  /** Replaces all codes by ten new ones. */
  async replace(manager: EntityManager, playerId: number): Promise<string[]> {
    const codes = Array.from({ length: CODES }, generateCode);
    const rows = codes.map((code) => ({ playerId, codeHash: this.hash(playerId, code) }));
    await manager.delete(RecoveryCode, { playerId });
    await manager.insert(RecoveryCode, rows);
    return codes;
  }

  /** Returns a function that uses up the code; undefined if it is wrong or was used. */
  async match(playerId: number, typed: string): Promise<UseFactor | undefined> {
    const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
    const unused = { playerId, codeHash: this.hash(playerId, code), usedAt: IsNull() };
    if (!(await this.dataSource.manager.existsBy(RecoveryCode, unused))) return undefined;
    return async (manager) => {
      const { affected } = await manager.update(RecoveryCode, unused, { usedAt: new Date() });
      return affected === 1;
    };
  }

  private hash(playerId: number, code: string): string {
    return createHmac('sha256', this.key).update(`${playerId} ${code}`).digest('base64url');
  }
}

/** 50 random bits in base32. */
function generateCode(): string {
  return new Secret({ size: 7 }).base32.slice(0, CODE_LENGTH);
}
