import { Injectable } from '@nestjs/common';
import { gameNameOf, isSameAccount } from '../../platform/auth/account-name.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { IdentityService } from '../../platform/auth/identity.service.js';
import { Settings } from '../../platform/config/settings.js';
import { AddressList } from '../../platform/http/request/address.js';
import { LoginThrottled, TokenInvalid } from './accounts.errors.js';
import type { CheckView } from './accounts.view.js';
import { CredentialsService, type StoredCredentials } from './credentials.service.js';
import { LoginThrottle, throttleSubject, UnknownNameBuckets } from './login-throttle.js';
import { Passwords } from './passwords.js';

const MD5_HEX = /^[0-9a-f]{32}$/i;

type CheckedCredentials = Pick<
  StoredCredentials,
  'account' | 'password' | 'hasSecondFactor' | 'disabledAt' | 'ban' | 'gameAccount'
>;

/**
 * Checks for a game server whether a token belongs to an account. Failed checks lock only accounts of imported players
 * who have not signed in yet, because strangers must not be able to keep players out of the game.
 */
@Injectable()
export class CheckService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly passwords: Passwords,
    private readonly identities: IdentityService,
    private readonly throttle: LoginThrottle,
    private readonly unknownNameBuckets: UnknownNameBuckets,
    private readonly settings: Settings,
  ) {}

  /** `gatehouse import` passes no client address, so its checks count towards no limit. */
  async check(account: string, token: string, address?: string): Promise<CheckView> {
    if (!MD5_HEX.test(token)) return this.checkJwt(account, token);
    const found = await this.credentials.find(account);
    if (address !== undefined) await this.throttleImported(account, found, token, address);
    return this.checkStoredHash(found, token);
  }

  /** Checks a token against credentials already read, because `gatehouse import` reads many accounts in one batch. */
  checkStoredHash(found: CheckedCredentials | undefined, token: string): CheckView {
    const right = this.isRight(found, token);
    // An old-format token is the password's hash, which must not be enough for an account with a second factor.
    if (!found || !right || found.hasSecondFactor) throw new TokenInvalid();
    requireAdmitted(found);
    return { account: gameNameOf(found), format: 'md5' };
  }

  /**
   * Counts wrong tokens for imported players as failed logins. An imported hash may have been made without the key, so
   * anyone could compute the token for a guessed password. A locked player can sign in to get a token that uses the
   * key. Wrong tokens for other players take the same steps without being counted, so that the response time does not
   * reveal which players were imported.
   */
  private async throttleImported(
    account: string,
    found: StoredCredentials | undefined,
    token: string,
    address: string,
  ): Promise<void> {
    const right = this.isRight(found, token);
    if (right && !found?.imported) return;
    const bucket = this.unknownNameBuckets.bucketOf(account);
    const subject = found ? throttleSubject(found.id) : bucket;
    const isGameServer = AddressList.of(this.settings.current.game_server_ips).has(address);
    const isGuess = !right && Boolean(found?.imported);
    const attempt = { subject, address, spared: false, isGameServer };
    await this.throttle.admit(attempt, !isGuess, false).catch((error: unknown) => {
      throw error instanceof LoginThrottled ? new TokenInvalid() : error;
    });
  }

  private isRight(found: CheckedCredentials | undefined, token: string): boolean {
    return this.passwords.matchesHash(token.toLowerCase(), found?.password);
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
