import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
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
import { SessionNotFound, SignInAgain } from './sessions.errors.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const TOKEN_MS = TOKEN_LIFETIME_SECONDS * 1000;
const RECENT_SIGN_IN_MS = 10 * 60 * 1000;
const MAX_ID = 2 ** 48 - 1;
const MAX_LISTED = 100;

export interface SignInOptions {
  context: RequestContext;
  remember?: boolean;
  /** As the form says it; otherwise by the `User-Agent`. */
  device?: Device;
}

export interface StartedSession {
  sid: number;
  token: string;
  /** The stay-signed-in cookie, where it was asked for and is offered. */
  cookie?: string;
}

type Owner = Pick<TokenOwner, 'id' | 'account' | 'ver'>;

/** Sign-ins: started, listed, confirmed and ended. */
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

  /** With the manager of a transaction, the session stands once that is committed. */
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

  /** The newest that stand: neither ended nor expired, and none from before a reset. */
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

  /** All but the one to keep; with none to keep, all. */
  endOthers(
    playerId: number,
    exceptId: number | undefined,
    manager?: EntityManager,
  ): Promise<number> {
    return this.store.endOthers(playerId, exceptId ?? 0, manager);
  }

  /** For what needs more than a token, which may have been left on a screen: a sign-in of the last ten minutes. */
  async requireRecentSignIn({ id, sid, issuedAt }: PlayerIdentity): Promise<void> {
    const since = new Date(Date.now() - RECENT_SIGN_IN_MS);
    // A token without a session comes from a sign-in, never from a refresh.
    const recent =
      sid === undefined
        ? issuedAt > since.getTime()
        : await this.sessions.existsBy({ playerId: id, id: sid, confirmedAt: MoreThan(since) });
    if (!recent) throw new SignInAgain();
  }

  /** The person has just proved who it is. Gives until when that counts. */
  async confirm({ id, sid }: PlayerIdentity): Promise<Date> {
    if (sid === undefined) throw new SignInAgain();
    const now = Date.now();
    await this.sessions.update({ playerId: id, id: sid }, { confirmedAt: new Date(now) });
    return new Date(now + RECENT_SIGN_IN_MS);
  }

  /** Goes on with a session after `ver` has grown, which ended all others. Gives its new token. */
  async renew(owner: Owner, sid: number, manager: EntityManager): Promise<string> {
    const renewed = { ver: owner.ver, confirmedAt: new Date() };
    await manager.update(Session, { playerId: owner.id, id: sid }, renewed);
    return this.issueToken(owner, sid, manager);
  }

  /** Another token of a session, which outlasts it: one that has expired is not listed, and could not be ended. */
  async issueToken(owner: Owner, sid: number, manager: EntityManager): Promise<string> {
    const expiresAt = new Date(Date.now() + TOKEN_MS);
    const tooShort = { playerId: owner.id, id: sid, expiresAt: LessThan(expiresAt) };
    await manager.update(Session, tooShort, { expiresAt });
    return this.tokens.sign({ ...owner, sid });
  }
}
