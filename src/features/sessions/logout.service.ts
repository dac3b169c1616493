import { Injectable } from '@nestjs/common';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import { TokenService } from '../../platform/auth/token.service.js';
import { ResponseWithCookie } from './response-with-cookie.js';
import { CookieSecrets, type SessionCookie } from './cookie-secrets.js';
import { SessionStore } from './session-store.js';

/** Signs out. A session that has already ended is not an error, because that is the intended result. */
@Injectable()
export class LogoutService {
  constructor(
    private readonly store: SessionStore,
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
    if (owner?.sid !== undefined) await this.store.end(owner.id, owner.sid);
    if (cookie) await this.endByCookie(cookie);
    return new ResponseWithCookie({}, null);
  }

  private async endByCookie({ playerId, id, secret }: SessionCookie): Promise<void> {
    const stored = await this.store.findForRefresh(playerId, id, new Date());
    const hashes = stored ? [stored.cookieHash, stored.previousHash] : [];
    if (hashes.some((hash) => this.secrets.matchesHash(secret, hash)))
      await this.store.end(playerId, id);
  }
}
