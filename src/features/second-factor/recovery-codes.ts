import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret } from 'otpauth';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import { endTrust } from '../sessions/sessions.service.js';
import { RecoveryCode } from './second-factor.entities.js';

const CODES = 10;
const CODE_LENGTH = 10;

/** Creates and checks recovery codes for players who lost their app or passkey. Each code works once. */
@Injectable()
export class RecoveryCodes {
  private readonly key: Uint8Array;

  constructor(
    private readonly dataSource: DataSource,
    // JWT_SECRET is unsuitable, because changing it disables authenticator apps, and players then need these codes.
    { PASSWORD_KEY }: Environment,
  ) {
    this.key = new Uint8Array(hkdfSync('sha256', PASSWORD_KEY, '', 'gatehouse recovery code', 32));
  }

  async replace(manager: EntityManager, playerId: number): Promise<string[]> {
    const codes = Array.from({ length: CODES }, generateCode);
    const rows = codes.map((code) => ({ playerId, codeHash: this.hash(playerId, code) }));
    await manager.delete(RecoveryCode, { playerId });
    await manager.insert(RecoveryCode, rows);
    return codes;
  }

  /** Returns a function that uses up the code, or undefined if the code is wrong or already used. */
  async match(playerId: number, typed: string) {
    const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
    const unused = { playerId, codeHash: this.hash(playerId, code), usedAt: IsNull() };
    if (!(await this.dataSource.manager.existsBy(RecoveryCode, unused))) return undefined;
    return async (manager: EntityManager) => {
      const { affected } = await manager.update(RecoveryCode, unused, { usedAt: new Date() });
      // A player who lost the factor may also have lost a trusted device.
      await endTrust(manager, playerId);
      return affected === 1;
    };
  }

  private hash(playerId: number, code: string): string {
    return createHmac('sha256', this.key).update(`${playerId} ${code}`).digest('base64url');
  }
}

/** Returns 50 random bits in base32. */
function generateCode(): string {
  return new Secret({ size: 7 }).base32.slice(0, CODE_LENGTH);
}
