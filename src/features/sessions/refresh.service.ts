import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DAY_MS } from '../../platform/config/calendar-day.js';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { TokenService } from '../../platform/auth/token.service.js';
import { Environment } from '../../platform/config/environment.js';
import { rememberDays } from '../../platform/config/remember-days.js';
import { Settings } from '../../platform/config/settings.js';
import { ServiceUnavailable } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { requestLog } from '../../platform/log/log.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { ResponseWithCookie } from './response-with-cookie.js';
import { CookieSecrets, type SessionCookie } from './cookie-secrets.js';
import { SessionStore, type RefreshableSession } from './session-store.js';
import { SessionEnded } from './sessions.errors.js';
import { type TokenView, toTokenView } from './token.view.js';

/** Several tabs of one browser send the same cookie at once. */
const GRACE_MS = 30_000;
// Each further attempt means that another request changed the session meanwhile.
const MAX_ATTEMPTS = 10;

/** Exchanges a stay-signed-in cookie for a token and the next cookie. */
@Injectable()
export class RefreshService {
  private readonly reusedCookies: Counter;

  constructor(
    private readonly store: SessionStore,
    private readonly secrets: CookieSecrets,
    private readonly tokens: TokenService,
    private readonly settings: Settings,
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.reusedCookies = metrics.counter(
      'gatehouse_session_cookies_reused_total',
      'Sessions ended because a replaced cookie was used again: somebody has a copy of it',
    );
  }

  async refresh(
    cookieValue: string | undefined,
    context: RequestContext,
  ): Promise<ResponseWithCookie<TokenView>> {
    const cookie = this.secrets.parse(cookieValue);
    if (!cookie || this.days === 0) throw new SessionEnded();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const stored = await this.find(cookie);
      const next = await this.exchange(cookie, stored, context);
      if (next !== undefined) return this.answer(cookie, stored, next, context);
    }
    throw new ServiceUnavailable('a session changed at each of ten attempts to refresh it');
  }

  private get days(): number {
    return rememberDays(this.settings.current, this.environment);
  }

  private async find({ playerId, id }: SessionCookie): Promise<RefreshableSession> {
    const stored = await this.store.findForRefresh(playerId, id, new Date(Date.now() - GRACE_MS));
    if (!stored) throw new SessionEnded();
    // Checked before `endedAt`: a banned player must see the ban, not that the session ended.
    requireAdmitted(stored);
    if (stored.endedAt) throw new SessionEnded();
    return stored;
  }

  /** The next secret; undefined if the session has changed since it was read. */
  private async exchange(
    cookie: SessionCookie,
    stored: RefreshableSession,
    context: RequestContext,
  ): Promise<string | undefined> {
    const { playerId, id, secret } = cookie;
    if (this.secrets.matchesHash(secret, stored.cookieHash)) {
      const salt = this.secrets.generate();
      const next = this.secrets.deriveNext(secret, salt);
      const [from, to] = [stored.cookieHash!, this.secrets.hash(next)];
      const expiresAt = new Date(Date.now() + this.days * DAY_MS);
      const { address } = context;
      const won = await this.store.rotate({ playerId, id, from, to, salt, address, expiresAt });
      return won ? next : undefined;
    }
    const inGrace = Number(stored.inGrace) === 1;
    if (inGrace && this.secrets.matchesHash(secret, stored.previousHash)) {
      await this.store.endProof(playerId, id);
      const next = this.secrets.deriveNext(secret, stored.cookieSalt!);
      // They differ if JWT_SECRET was changed in between.
      return this.secrets.matchesHash(next, stored.cookieHash) ? next : secret;
    }
    return this.endReused(cookie, stored, context);
  }

  private async endReused(
    { playerId, id }: SessionCookie,
    { cookieHash }: RefreshableSession,
    { requestId, address }: RequestContext,
  ): Promise<undefined> {
    if (!(await this.store.endByCookie(playerId, id, cookieHash))) return undefined;
    this.reusedCookies.inc();
    requestLog(requestId, RefreshService.name).warn(
      { player_id: playerId, address },
      'a session was ended: a cookie came that had been replaced, so somebody has a copy',
    );
    throw new SessionEnded();
  }

  private answer(
    cookie: SessionCookie,
    { account, ver }: RefreshableSession,
    secret: string,
    context: RequestContext,
  ): ResponseWithCookie<TokenView> {
    const { playerId, id } = cookie;
    context.playerId = playerId;
    const token = this.tokens.sign({ id: playerId, account, ver, sid: id });
    return new ResponseWithCookie(
      toTokenView(account, token),
      this.secrets.serialize({ ...cookie, secret }),
    );
  }
}
