import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { UsedTokenStore } from '../links/used-token-store.js';

export const CHALLENGE_MS = 5 * 60 * 1000;
const [TIME_BYTES, RANDOM_BYTES] = [6, 16];
const HEAD_BYTES = TIME_BYTES + RANDOM_BYTES;

/** What a challenge was made for: a new passkey, a sign-in by passkey alone, its second step, or `session/confirm`. */
export type PasskeyPurpose = 'register' | 'login' | 'second' | 'confirm';

/**
 * Challenges to passkeys. Each serves once, on any instance, for its purpose and its account. They are signed, and only
 * a use is stored: anybody may ask for one, and must not fill a table with them.
 */
@Injectable()
export class PasskeyChallenges {
  private readonly key: Uint8Array;

  constructor(
    { JWT_SECRET }: Environment,
    private readonly usedTokens: UsedTokenStore,
  ) {
    this.key = new Uint8Array(hkdfSync('sha256', JWT_SECRET, '', 'gatehouse passkey', 32));
  }

  /** `playerId` is null for a sign-in: the passkey tells whose it is. */
  issue(purpose: PasskeyPurpose, playerId: number | null): Uint8Array<ArrayBuffer> {
    const expiresAt = Buffer.alloc(TIME_BYTES);
    expiresAt.writeUIntBE(Date.now() + CHALLENGE_MS, 0, TIME_BYTES);
    const head = Buffer.concat([expiresAt, randomBytes(RANDOM_BYTES)]);
    return new Uint8Array(Buffer.concat([head, this.sign(head, purpose, playerId)]));
  }

  /** True on first use. */
  async consume(
    challenge: string,
    purpose: PasskeyPurpose,
    playerId: number | null,
  ): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url');
    const [head, given] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
    const expected = this.sign(head, purpose, playerId);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    const expiresAt = head.readUIntBE(0, TIME_BYTES);
    if (expiresAt <= Date.now()) return false;
    return this.usedTokens.use(`passkey ${head.toString('hex')}`, new Date(expiresAt));
  }

  private sign(head: Buffer, purpose: PasskeyPurpose, playerId: number | null): Buffer {
    return createHmac('sha256', this.key).update(head).update(`${purpose} ${playerId}`).digest();
  }
}
