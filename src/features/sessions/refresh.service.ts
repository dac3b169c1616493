import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { type AdmissionColumns, banSql, requireAdmitted } from '../../platform/auth/ban.js';
import { TokenService } from '../../platform/auth/token.service.js';
import { Environment } from '../../platform/config/environment.js';
import { rememberDays, Settings } from '../../platform/config/settings.js';
import { DAY_MS } from '../../platform/config/time.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { runStatement, selectRows, sqlTime, toTime } from '../../platform/database/sql.js';
import { ServiceUnavailable } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { requestLog } from '../../platform/log/log.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { CookieSecrets, type SessionCookie } from './session-cookie.js';
import { ResponseWithCookie } from './sign-in-response.js';
import { SessionEnded } from './sessions.errors.js';
import { END_SESSIONS, endTrust } from './sessions.service.js';
import { type TokenView, toTokenView } from './sessions.view.js';

/**
 * A replaced cookie works for a short time, because several tabs of a browser may send the same cookie concurrently.
 */
const GRACE_MS = 30_000;
// An attempt is repeated only if another request changed the session in the meantime.
const MAX_ATTEMPTS = 10;

const FIND = `SELECT p.account, p.ver, p.disabled_at AS disabledAt, ${banSql('p.id')} AS ban,
    s.created_at AS createdAt, s.ended_at AS endedAt, s.cookie_hash AS cookieHash,
    s.cookie_salt AS cookieSalt, s.previous_hash AS previousHash, s.rotated_at > ? AS inGrace,
    s.trusted_until AS trustedUntil
  FROM session s INNER JOIN player p ON p.id = s.player_id AND p.ver = s.ver
  WHERE s.player_id = ? AND s.id = ? AND s.cookie_hash IS NOT NULL AND s.expires_at > ?
    AND s.created_at > ? AND COALESCE(s.rotated_at, s.created_at) > ?`;
// MySQL assigns from left to right, so `previous_hash` comes first. The confirmation and the second factor are reset,
// because the cookie may be a stolen copy.
const ROTATE = `UPDATE session SET previous_hash = cookie_hash, cookie_hash = ?, cookie_salt = ?, rotated_at = ?,
    seen_at = ?, expires_at = ?, address = ?, confirmed_at = ?, second_factor_at = NULL
  WHERE player_id = ? AND id = ? AND cookie_hash = ? AND ended_at IS NULL`;
const END_PROOF =
  'UPDATE session SET confirmed_at = ?, second_factor_at = NULL WHERE player_id = ? AND id = ?';

interface RefreshableSession extends AdmissionColumns {
  account: string;
  ver: number;
  createdAt: unknown;
  endedAt: unknown;
  cookieHash: string | null;
  cookieSalt: string | null;
  previousHash: string | null;
  /** The value 1 means that the cookie was replaced within the grace period. */
  inGrace: number | string | null;
  trustedUntil: unknown;
}

/** Exchanges a stay-signed-in cookie for a token and a new cookie. */
@Injectable()
export class RefreshService {
  private readonly reusedCookies: Counter;

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly secrets: CookieSecrets,
    private readonly tokens: TokenService,
    private readonly settings: Settings,
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.reusedCookies = metrics.counter(
      'gatehouse_session_cookies_reused_total',
      'Sessions ended because a replaced cookie was used again, so somebody may have a copy',
    );
  }

  async refresh(
    cookieValue: string | undefined,
    context: RequestContext,
  ): Promise<ResponseWithCookie<TokenView>> {
    const cookie = this.secrets.parse(cookieValue);
    if (!cookie || this.days === 0) throw new SessionEnded();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const stored = await this.getActive(cookie);
      const next = await this.exchange(cookie, stored, context);
      if (next !== undefined) return this.answer(cookie, stored, next, context);
    }
    throw new ServiceUnavailable('a session changed at each of ten attempts to refresh it');
  }

  async find({ playerId, id }: SessionCookie): Promise<RefreshableSession | undefined> {
    const now = currentTime();
    // A trusted session may expire later than its cookie.
    const times = [now, now - this.maxMs, now - this.days * DAY_MS].map((time) => sqlTime(time));
    const values = [sqlTime(now - GRACE_MS), playerId, id, ...times];
    const { manager } = this.dataSource;
    const [found] = await selectRows<RefreshableSession>(manager, FIND, values);
    return found;
  }

  private get maxMs(): number {
    return this.settings.current.session.max_days * DAY_MS;
  }

  private get days(): number {
    return rememberDays(this.settings.current, this.environment);
  }

  private async getActive(cookie: SessionCookie): Promise<RefreshableSession> {
    const stored = await this.find(cookie);
    if (!stored) throw new SessionEnded();
    // The ban is checked before `endedAt`, so that a banned player sees the ban.
    requireAdmitted(stored);
    if (stored.endedAt) throw new SessionEnded();
    return stored;
  }

  /** Returns the next secret, or undefined if the session has changed since it was read. */
  private async exchange(
    cookie: SessionCookie,
    stored: RefreshableSession,
    context: RequestContext,
  ): Promise<string | undefined> {
    const { playerId, id, secret } = cookie;
    if (this.secrets.matchesHash(secret, stored.cookieHash))
      return this.rotate(cookie, stored, context);
    const inGrace = Number(stored.inGrace) === 1;
    if (inGrace && this.secrets.matchesHash(secret, stored.previousHash)) {
      await this.run(playerId, END_PROOF, [sqlTime(0), playerId, id]);
      const next = this.secrets.deriveNext(secret, stored.cookieSalt!);
      // The hashes differ if JWT_SECRET has changed in between.
      return this.secrets.matchesHash(next, stored.cookieHash) ? next : secret;
    }
    // Anyone can invent a secret, so an unsigned cookie does not prove that the real cookie was copied.
    if (!cookie.isGenuine) throw new SessionEnded();
    return this.endReused(cookie, stored, context);
  }

  private async rotate(
    { playerId, id, secret }: SessionCookie,
    { cookieHash, createdAt, trustedUntil }: RefreshableSession,
    { address }: RequestContext,
  ): Promise<string | undefined> {
    const salt = this.secrets.generate();
    const next = this.secrets.deriveNext(secret, salt);
    const now = currentTime();
    const latest = toTime(createdAt)!.getTime() + this.maxMs;
    const remembered = Math.min(now + this.days * DAY_MS, latest);
    const expiresAt = Math.max(remembered, toTime(trustedUntil)?.getTime() ?? 0);
    const times = [now, now, expiresAt].map((time) => sqlTime(time));
    const changes = [this.secrets.hash(next), salt, ...times, address, sqlTime(0)];
    const rotated = await this.run(playerId, ROTATE, [...changes, playerId, id, cookieHash]);
    return rotated === 1 ? next : undefined;
  }

  private async endReused(
    { playerId, id }: SessionCookie,
    { cookieHash }: RefreshableSession,
    { requestId, address }: RequestContext,
  ): Promise<undefined> {
    const now = sqlTime(currentDate());
    const values = [now, playerId, now, id, cookieHash];
    const ended = await this.run(
      playerId,
      `${END_SESSIONS} AND id = ? AND cookie_hash = ?`,
      values,
    );
    // Another request has already replaced the cookie or ended the session.
    if (ended !== 1) return undefined;
    // The other cookies of that browser may have been copied as well.
    await this.rowQueue.run(`player ${playerId}`, () =>
      endTrust(this.dataSource.manager, playerId),
    );
    this.reusedCookies.inc();
    requestLog(requestId, RefreshService.name).warn(
      { player_id: playerId, address },
      'a session was ended, because its replaced cookie was used again: somebody has a copy',
    );
    throw new SessionEnded();
  }

  private async run(playerId: number, sql: string, values: unknown[]): Promise<number> {
    const { affected } = await this.rowQueue.run(`player ${playerId}`, () =>
      runStatement(this.dataSource.manager, sql, values),
    );
    return affected;
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
