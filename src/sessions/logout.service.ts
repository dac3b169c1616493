import { Injectable } from '@nestjs/common';
import { Unauthorized } from '../auth/auth.errors.js';
import { TokenService } from '../auth/token.service.js';
import { CookieAnswer } from './cookie-answer.js';
import { CookieSecrets, type SessionCookie } from './cookie-secrets.js';
import { SessionRows } from './session-rows.js';

/** Signs out. A token or cookie whose session has ended already is no error: that is what was asked for. */
@Injectable()
export class LogoutService {
  constructor(
    private readonly rows: SessionRows,
    private readonly secrets: CookieSecrets,
    private readonly tokens: TokenService,
  ) {}

  async logout(
    token: string | null,
    sent: string | undefined,
  ): Promise<CookieAnswer<Record<string, never>>> {
    const owner = this.tokens.ownerOf(this.tokens.verify(token ?? ''));
    const cookie = this.secrets.read(sent);
    if (!owner && !cookie) throw new Unauthorized();
    if (owner?.sid !== undefined) await this.rows.end(owner.id, owner.sid);
    if (cookie) await this.endByCookie(cookie);
    return new CookieAnswer({}, null);
  }

  private async endByCookie({ playerId, id, secret }: SessionCookie): Promise<void> {
    const stored = await this.rows.findCookie(playerId, id, new Date());
    const hashes = stored ? [stored.cookieHash, stored.previousHash] : [];
    if (hashes.some((hash) => this.secrets.isHashOf(secret, hash)))
      await this.rows.end(playerId, id);
  }
}
