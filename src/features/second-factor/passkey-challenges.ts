import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { PasskeyChallenge } from './passkey-challenge.entity.js';

export const CHALLENGE_MS = 5 * 60 * 1000;

/** What a challenge was made for: a new passkey, a sign-in by passkey alone, its second step, or `session/confirm`. */
export type PasskeyPurpose = 'register' | 'login' | 'second' | 'confirm';

/** Challenges to passkeys. Each serves once, on any instance, for its purpose and its account. */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(CHALLENGE_MS, 'passkey_challenge', 'expires_at');
  }

  /** `playerId` is null for a sign-in: the passkey tells whose it is. */
  async issue(purpose: PasskeyPurpose, playerId: number | null): Promise<Buffer> {
    const challenge = randomBytes(32);
    const hash = hashOf(challenge.toString('base64url'));
    const expiresAt = new Date(Date.now() + CHALLENGE_MS);
    await this.dataSource.manager.insert(PasskeyChallenge, { hash, purpose, playerId, expiresAt });
    return challenge;
  }

  /** True on first use. */
  async consume(
    challenge: string,
    purpose: PasskeyPurpose,
    playerId: number | null,
  ): Promise<boolean> {
    const { affected } = await this.dataSource.manager.delete(PasskeyChallenge, {
      hash: hashOf(challenge),
      purpose,
      playerId: playerId ?? IsNull(),
      expiresAt: MoreThan(new Date()),
    });
    return affected === 1;
  }
}

function hashOf(challenge: string): string {
  return createHash('sha256').update(challenge).digest('base64url');
}
