import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AccountDisabled } from '../auth/auth.errors.js';
import { TokenService } from '../auth/token.service.js';
import { Environment } from '../config/environment.js';
import { rememberDays } from '../config/remember-days.js';
import { Settings } from '../config/settings.js';
import { ServiceUnavailable } from '../http/errors/http.errors.js';
import type { RequestContext } from '../http/request/request-context.js';
import { requestLog } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { CookieAnswer } from './cookie-answer.js';
import { CookieSecrets, type SessionCookie } from './cookie-secrets.js';
import { SessionRows, type StoredCookie } from './session-rows.js';
import { SessionEnded } from './sessions.errors.js';
import { type TokenView, toTokenView } from './token.view.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Several tabs of one browser send the same cookie at once. */
const GRACE_MS = 30_000;
// Each further one means that yet another request has changed the session meanwhile.
const ATTEMPTS = 10;

/** Exchanges a stay-signed-in cookie for a token and the next cookie. */
@Injectable()
export class RefreshService {
  private readonly stolen: Counter;

  constructor(
    private readonly rows: SessionRows,
    private readonly secrets: CookieSecrets,
    private readonly tokens: TokenService,
    private readonly settings: Settings,
    private readonly environment: Environment,
    { registry }: Metrics,
  ) {
    this.stolen = new Counter({
      name: 'gatehouse_session_cookies_reused_total',
      help: 'Sessions ended because a replaced cookie was used again: somebody has a copy of it',
      registers: [registry],
    });
  }

  async refresh(
    sent: string | undefined,
    context: RequestContext,
  ): Promise<CookieAnswer<TokenView>> {
    const cookie = this.secrets.read(sent);
    if (!cookie || this.days === 0) throw new SessionEnded();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const stored = await this.find(cookie);
      const next = await this.exchange(cookie, stored, context);
      if (next !== undefined) return this.answer(cookie, stored, next, context);
    }
    throw new ServiceUnavailable('a session changed at each of ten attempts to refresh it');
  }

  private get days(): number {
    return rememberDays(this.settings.current, this.environment);
  }

  private async find({ playerId, id }: SessionCookie): Promise<StoredCookie> {
    const stored = await this.rows.findCookie(playerId, id, new Date(Date.now() - GRACE_MS));
    if (!stored) throw new SessionEnded();
    if (stored.disabledAt) throw new AccountDisabled();
    return stored;
  }

  /** The secret to go on with; undefined where the session has changed since it was read. */
  private async exchange(
    cookie: SessionCookie,
    stored: StoredCookie,
    context: RequestContext,
  ): Promise<string | undefined> {
    const { playerId, id, secret } = cookie;
    if (this.secrets.isHashOf(secret, stored.cookieHash)) {
      const salt = this.secrets.random();
      const next = this.secrets.next(secret, salt);
      const [from, to] = [stored.cookieHash!, this.secrets.hash(next)];
      const expiresAt = new Date(Date.now() + this.days * DAY_MS);
      const { address } = context;
      const won = await this.rows.rotate({ playerId, id, from, to, salt, address, expiresAt });
      return won ? next : undefined;
    }
    const inGrace = Number(stored.inGrace) === 1;
    if (inGrace && this.secrets.isHashOf(secret, stored.previousHash)) {
      const next = this.secrets.next(secret, stored.cookieSalt!);
      // They differ where JWT_SECRET was changed in between.
      return this.secrets.isHashOf(next, stored.cookieHash) ? next : secret;
    }
    return this.endStolen(cookie, stored, context);
  }

  private async endStolen(
    { playerId, id }: SessionCookie,
    { cookieHash }: StoredCookie,
    { requestId, address }: RequestContext,
  ): Promise<undefined> {
    if (!(await this.rows.endByCookie(playerId, id, cookieHash))) return undefined;
    this.stolen.inc();
    requestLog(requestId, RefreshService.name).warn(
      { player_id: playerId, address },
      'a session was ended: a cookie came that had been replaced, so somebody has a copy',
    );
    throw new SessionEnded();
  }

  private answer(
    cookie: SessionCookie,
    { account, ver }: StoredCookie,
    secret: string,
    context: RequestContext,
  ): CookieAnswer<TokenView> {
    const { playerId, id } = cookie;
    context.playerId = playerId;
    const token = this.tokens.sign({ id: playerId, account, ver, sid: id });
    return new CookieAnswer(toTokenView(account, token), this.secrets.write({ ...cookie, secret }));
  }
}
