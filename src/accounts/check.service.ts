import { Injectable } from '@nestjs/common';
import { isSameAccount } from '../auth/account-name.js';
import { AccountDisabled, Unauthorized } from '../auth/auth.errors.js';
import { IdentityService } from '../auth/identity.service.js';
import type { CheckView } from './account.view.js';
import { TokenInvalid } from './accounts.errors.js';
import { CredentialsLookup } from './credentials-lookup.js';
import { Passwords } from './passwords.js';

const MD5 = /^[0-9a-f]{32}$/i;

/** Tells a game whether a token belongs to an account. Never locks: a stranger could keep a player out of the game. */
@Injectable()
export class CheckService {
  constructor(
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly identities: IdentityService,
  ) {}

  check(account: string, token: string): Promise<CheckView> {
    return MD5.test(token) ? this.checkHash(account, token) : this.checkJwt(account, token);
  }

  private async checkHash(account: string, token: string): Promise<CheckView> {
    const found = await this.credentials.find(account);
    const right = this.passwords.isHash(token.toLowerCase(), found?.password);
    if (!found || !right) throw new TokenInvalid();
    if (found.disabledAt) throw new AccountDisabled();
    return { account: found.account, format: 'md5' };
  }

  private async checkJwt(account: string, token: string): Promise<CheckView> {
    const owner = await this.identities.identify(token).catch((error: unknown) => {
      throw error instanceof Unauthorized ? new TokenInvalid() : error;
    });
    if (!isSameAccount(owner.account, account)) throw new TokenInvalid();
    return { account: owner.account, format: 'jwt' };
  }
}
