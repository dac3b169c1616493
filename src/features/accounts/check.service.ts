import { Injectable } from '@nestjs/common';
import { isSameAccount, gameNameOf } from '../../platform/auth/account-name.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { IdentityService } from '../../platform/auth/identity.service.js';
import type { CheckView } from './account.view.js';
import { TokenInvalid } from './accounts.errors.js';
import { type StoredCredentials, CredentialsLookup } from './credentials-lookup.js';
import { Passwords } from './passwords.js';

const MD5_HEX = /^[0-9a-f]{32}$/i;

type CheckedCredentials = Pick<
  StoredCredentials,
  'account' | 'password' | 'hasSecondFactor' | 'disabledAt' | 'ban' | 'gameAccount'
>;

/**
 * Checks for a game whether a token belongs to an account. Never locks: a stranger could keep a player out of the game.
 */
@Injectable()
export class CheckService {
  constructor(
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly identities: IdentityService,
  ) {}

  check(account: string, token: string): Promise<CheckView> {
    return MD5_HEX.test(token) ? this.checkHash(account, token) : this.checkJwt(account, token);
  }

  /** Checks a token against an account that was already looked up; `gatehouse import` does this for millions. */
  checkStoredHash(found: CheckedCredentials | undefined, token: string): CheckView {
    const right = this.passwords.matchesHash(token.toLowerCase(), found?.password);
    // The hash is the password, and an account with a second factor is not opened by that alone.
    if (!found || !right || found.hasSecondFactor) throw new TokenInvalid();
    requireAdmitted(found);
    return { account: gameNameOf(found), format: 'md5' };
  }

  private async checkHash(account: string, token: string): Promise<CheckView> {
    return this.checkStoredHash(await this.credentials.find(account), token);
  }

  private async checkJwt(account: string, token: string): Promise<CheckView> {
    const owner = await this.identities.identifyForGame(token).catch((error: unknown) => {
      throw error instanceof Unauthorized ? new TokenInvalid() : error;
    });
    const isOwn = isSameAccount(owner.account, account) || owner.gameAccount === account;
    if (!isOwn && (await this.credentials.find(account))?.id !== owner.id) throw new TokenInvalid();
    return { account: gameNameOf(owner), format: 'jwt' };
  }
}
