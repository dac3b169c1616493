import { Injectable } from '@nestjs/common';
import { SignedTokens } from '../../platform/auth/signed-tokens.js';
import { UsedTokenStore } from '../links/used-token-store.js';

/** What a challenge was made for: a new passkey, a sign-in by passkey alone, its second step, or `session/confirm`. */
export type PasskeyPurpose = 'register' | 'login' | 'second' | 'confirm';

/**
 * Challenges to passkeys. Each serves once, on any instance, for its purpose and its account. They are signed, and only
 * a use is stored: anybody may ask for one, and must not fill a table with them.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly tokens: SignedTokens,
    private readonly usedTokens: UsedTokenStore,
  ) {}

  /** `playerId` is null for a sign-in: the passkey tells whose it is. */
  issue(purpose: PasskeyPurpose, playerId: number | null) {
    return new TextEncoder().encode(this.tokens.sign(`passkey ${purpose} ${playerId}`, {}));
  }

  /** True on first use. */
  async consume(
    challenge: string,
    purpose: PasskeyPurpose,
    playerId: number | null,
  ): Promise<boolean> {
    const text = Buffer.from(challenge, 'base64url').toString();
    const signed = this.tokens.verify(`passkey ${purpose} ${playerId}`, text);
    return signed !== undefined && this.usedTokens.use(`passkey ${signed.id}`, signed.expiresAt);
  }
}
