import { Injectable } from '@nestjs/common';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import { TokenService } from '../../platform/auth/token.service.js';
import { RefreshService } from './refresh.service.js';
import { CookieSecrets, type SessionCookie } from './session-cookie.js';
import { ResponseWithCookie } from './sign-in-response.js';
import { SessionsService } from './sessions.service.js';

/** Signs out by token or by cookie. Signing out of a session that has already ended succeeds. */
@Injectable()
export class LogoutService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly refreshes: RefreshService,
    private readonly secrets: CookieSecrets,
    private readonly tokens: TokenService,
  ) {}

  async logout(
    token: string | null,
    cookieValue: string | undefined,
  ): Promise<ResponseWithCookie<Record<string, never>>> {
    const owner = this.tokens.parseClaims(this.tokens.verify(token ?? ''));
    const cookie = this.secrets.parse(cookieValue);
    if (!owner && !cookie) throw new Unauthorized();
    if (owner?.sid !== undefined) await this.sessions.endById(owner.id, owner.sid);
    if (cookie) await this.endByCookie(cookie);
    return new ResponseWithCookie({}, null);
  }

  private async endByCookie(cookie: SessionCookie): Promise<void> {
    const stored = await this.refreshes.find(cookie);
    const hashes = stored ? [stored.cookieHash, stored.previousHash] : [];
    if (hashes.some((hash) => this.secrets.matchesHash(cookie.secret, hash)))
      await this.sessions.endById(cookie.playerId, cookie.id);
  }
}
