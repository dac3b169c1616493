import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import { DAY_MS } from '../../platform/config/calendar-day.js';
import { SignInAgain } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { MINUTE_MS, RECENT_PROOF_MINUTES } from '../../platform/auth/recent-proof.js';
import { Session } from '../../platform/auth/session.entity.js';
import {
  TOKEN_LIFETIME_SECONDS,
  type TokenOwner,
  TokenService,
} from '../../platform/auth/token.service.js';
import { Environment } from '../../platform/config/environment.js';
import { rememberDays } from '../../platform/config/remember-days.js';
import { Settings } from '../../platform/config/settings.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CookieSecrets } from './cookie-secrets.js';
import { type Device, parseUserAgent } from './device.js';
import { SessionStore } from './session-store.js';
import { SessionNotFound } from './sessions.errors.js';

const TOKEN_MS = TOKEN_LIFETIME_SECONDS * 1000;
const MAX_ID = 2 ** 48 - 1;
const MAX_LISTED = 100;

export interface SignInOptions {
  context: RequestContext;
  remember?: boolean;
  /** With a second factor, not by password or link alone. */
  withSecondFactor?: boolean;
  /** As stated by the form; otherwise from the `User-Agent`. */
  device?: Device;
}

export interface StartedSession {
  sid: number;
  token: string;
  /** The stay-signed-in cookie, if requested and enabled. */
  cookie?: string;
}

type Owner = Pick<TokenOwner, 'id' | 'account' | 'ver'>;

/** Starts, lists, confirms and ends sign-ins. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly store: SessionStore,
    private readonly secrets: CookieSecrets,
    private readonly tokens: TokenService,
    private readonly settings: Settings,
    private readonly environment: Environment,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
  ) {}

  /** With the manager of a transaction, the session becomes valid at commit. */
  async start(
    owner: Owner,
    signIn: SignInOptions,
    manager?: EntityManager,
  ): Promise<StartedSession> {
    const { context, remember = false, device = parseUserAgent(context.userAgent) } = signIn;
    const days = remember ? rememberDays(this.settings.current, this.environment) : 0;
    const secret = days > 0 ? this.secrets.generate() : undefined;
    const now = Date.now();
    const session = {
      playerId: owner.id,
      id: randomInt(1, MAX_ID),
      ver: owner.ver,
      device: device.device ?? null,
      os: device.os ?? null,
      browse: device.browse ?? null,
      address: context.address,
      createdAt: new Date(now),
      secondFactorAt: signIn.withSecondFactor ? new Date(now) : null,
      expiresAt: new Date(now + Math.max(TOKEN_MS, days * DAY_MS)),
      cookieHash: secret === undefined ? null : this.secrets.hash(secret),
    };
    await this.store.insert(session, manager);
    const { playerId, id: sid } = session;
    Object.assign(context, { playerId, sessionId: sid });
    return {
      sid,
      token: this.tokens.sign({ ...owner, sid }),
      cookie: secret && this.secrets.serialize({ playerId, id: sid, secret }),
    };
  }

  /** The newest active sessions: neither ended nor expired, and none from before a reset. */
  async list(playerId: number): Promise<Session[]> {
    const sessions = await this.sessions
      .createQueryBuilder('s')
      .addSelect('s.cookieHash')
      .innerJoin('player', 'p', 'p.id = s.player_id AND p.ver = s.ver')
      .where({ playerId, endedAt: IsNull(), expiresAt: MoreThan(new Date()) })
      .orderBy('s.createdAt', 'DESC')
      .limit(MAX_LISTED)
      .getMany();
    return sessions;
  }

  async end(playerId: number, id: string): Promise<number> {
    const ended = /^[1-9]\d{0,14}$/.test(id) ? await this.store.end(playerId, Number(id)) : 0;
    if (ended === 0) throw new SessionNotFound();
    return ended;
  }

  /** Ends all sessions except the one to keep, if any. */
  endOthers(
    playerId: number,
    exceptId: number | undefined,
    manager?: EntityManager,
  ): Promise<number> {
    return this.store.endOthers(playerId, exceptId ?? 0, manager);
  }

  /** The person has just proved to be the owner. Returns until when that counts. */
  async confirm(
    { id, sid }: PlayerIdentity,
    { withSecondFactor = false } = {},
    manager: EntityManager = this.sessions.manager,
  ): Promise<Date> {
    if (sid === undefined) throw new SignInAgain();
    const confirmedAt = new Date();
    const proved = withSecondFactor ? { secondFactorAt: confirmedAt } : {};
    await manager.update(Session, { playerId: id, id: sid }, { confirmedAt, ...proved });
    return new Date(confirmedAt.getTime() + RECENT_PROOF_MINUTES * MINUTE_MS);
  }

  /** Continues a session after `ver` was incremented, which ended all others. Returns its new token. */
  async renew(owner: Owner, sid: number, manager: EntityManager): Promise<string> {
    const renewed = { ver: owner.ver, confirmedAt: new Date() };
    await manager.update(Session, { playerId: owner.id, id: sid }, renewed);
    return this.issueToken(owner, sid, manager);
  }

  /** Another token for a session. The session outlasts it: an expired session is not listed and could not be ended. */
  async issueToken(owner: Owner, sid: number, manager: EntityManager): Promise<string> {
    const expiresAt = new Date(Date.now() + TOKEN_MS);
    const tooShort = { playerId: owner.id, id: sid, expiresAt: LessThan(expiresAt) };
    await manager.update(Session, tooShort, { expiresAt });
    return this.tokens.sign({ ...owner, sid });
  }
}
