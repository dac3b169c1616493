import { randomInt } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import { SignInAgain } from '../../platform/auth/auth.errors.js';
import {
  MINUTE_MS,
  type PlayerIdentity,
  RECENT_PROOF_MINUTES,
} from '../../platform/auth/identity.service.js';
import { Session } from '../../platform/auth/session.entity.js';
import {
  TOKEN_LIFETIME_SECONDS,
  type TokenOwner,
  TokenService,
} from '../../platform/auth/token.service.js';
import { Environment } from '../../platform/config/environment.js';
import { rememberDays, Settings, trustDays } from '../../platform/config/settings.js';
import { DAY_MS } from '../../platform/config/time.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { Batcher } from '../../platform/database/batcher.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import {
  BATCH_SIZE,
  runStatement,
  runUnlessLocked,
  selectRows,
  sqlTime,
} from '../../platform/database/sql.js';
import { EventOutbox } from '../../platform/events/event-outbox.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { type Device, parseUserAgent } from './device.js';
import { CookieSecrets, type TrustCookie } from './session-cookie.js';
import { SessionNotFound } from './sessions.errors.js';

const TOKEN_MS = TOKEN_LIFETIME_SECONDS * 1000;
const MAX_ID = 2 ** 48 - 1;
const MAX_LISTED = 100;
const INSERT =
  'INSERT INTO session (player_id, id, ver, device, os, browse, address, created_at, confirmed_at, second_factor_at, seen_at, expires_at, cookie_hash, trust_hash, trusted_until) VALUES ';
const ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const ROWS_PER_STATEMENT = 64;
/** The parameters are the current time, the player's id and again the current time. */
export const END_SESSIONS =
  'UPDATE session SET ended_at = ? WHERE player_id = ? AND ended_at IS NULL AND expires_at > ?';

const USE_TRUST = `UPDATE session SET seen_at = ?, address = ?
  WHERE player_id = ? AND id = ? AND ver = ? AND trust_hash = ? AND trusted_until > ? AND expires_at > ?
    AND ended_at IS NULL`;
const FIND_TRUST = 'SELECT trust_hash AS trustHash FROM session WHERE player_id = ? AND id = ?';
const END_TRUST = `UPDATE session SET trust_hash = NULL, trusted_until = NULL,
    expires_at = CASE WHEN cookie_hash IS NULL AND expires_at > ? THEN ? ELSE expires_at END
  WHERE player_id = ? AND trust_hash IS NOT NULL`;

/** Finds the last row of the next batch, if more rows may follow. */
const BATCH_END = `SELECT id FROM session WHERE player_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ${BATCH_SIZE - 1}`;
// Active and recent sessions come first, and the rest is deleted. Otherwise a client that signs in and out in a loop
// would create too many rows to list or end in time.
const SURPLUS = `SELECT id FROM session WHERE player_id = ?
  ORDER BY ended_at IS NULL DESC, ver DESC, created_at DESC LIMIT ${BATCH_SIZE} OFFSET ?`;
/**
 * Sessions are counted at every eighth sign-in of a player, so that most sign-ins need no extra statement. Small limits
 * are checked more often.
 */
const SIGN_INS_PER_COUNT = 8;
const MAX_REMEMBERED_PLAYERS = 10_000;

interface SignInOptions {
  context: RequestContext;
  remember?: boolean;
  /** This is true if the player has used a second factor in addition to a password or a link. */
  withSecondFactor?: boolean;
  /** This is true if later sign-ins from this browser may skip the second step. */
  trust?: boolean;
  /** This is set if an earlier trust replaces the second step. Ending this session also ends that trust. */
  trustHash?: string;
  /** A form may submit the device. The default comes from the `User-Agent`. */
  device?: Device;
}

export interface StartedSession {
  sid: number;
  token: string;
  /** This is set if the player chose to stay signed in and the settings allow it. */
  cookie?: string;
  /** This is set if the player chose to trust the browser and the settings allow it. */
  trust?: TrustCookie;
}

type Owner = Pick<TokenOwner, 'id' | 'account' | 'ver'>;

type NewSession = Omit<Session, 'seenAt' | 'endedAt' | 'cookieSalt' | 'previousHash' | 'rotatedAt'>;

@Injectable()
export class SessionsService {
  private readonly logger = new Logger(SessionsService.name);
  /** Counts each player's sign-ins since the sessions were last counted. The latest sign-in comes last. */
  private readonly signIns = new Map<number, number>();
  private readonly inserts = new Batcher<NewSession, void>(
    (sessions) => this.insertAll(sessions),
    ROWS_PER_STATEMENT,
  );
  /** Players whose rows were locked at the last sign-in must not delay inserts of other players. */
  private readonly lockedPlayers = new Set<number>();

  constructor(
    private readonly secrets: CookieSecrets,
    private readonly tokens: TokenService,
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly rowQueue: RowQueue,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly events: EventOutbox,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(DAY_MS, 'session', 'expires_at');
  }

  /** If a transaction's manager is passed, the session becomes valid at commit. */
  async start(
    owner: Owner,
    signIn: SignInOptions,
    manager?: EntityManager,
  ): Promise<StartedSession> {
    const { context, remember = false, device = parseUserAgent(context.userAgent) } = signIn;
    const days = remember ? rememberDays(this.settings.current, this.environment) : 0;
    const secret = days > 0 ? this.secrets.generate() : undefined;
    const daysOfTrust = signIn.trust ? trustDays(this.settings.current, this.environment) : 0;
    const trustSecret = daysOfTrust > 0 ? this.secrets.generate() : undefined;
    const now = currentTime();
    const session = {
      playerId: owner.id,
      id: randomInt(1, MAX_ID),
      ver: owner.ver,
      device: device.device ?? null,
      os: device.os ?? null,
      browse: device.browse ?? null,
      address: context.address,
      createdAt: new Date(now),
      // The cookie of a trusted browser may have been copied, so such a sign-in does not count as a confirmation.
      confirmedAt: new Date(signIn.trustHash === undefined ? now : 0),
      secondFactorAt: signIn.withSecondFactor ? new Date(now) : null,
      // A session that is trusted stays listed after its last token has expired, so that the player can end it.
      expiresAt: new Date(now + Math.max(TOKEN_MS, days * DAY_MS, daysOfTrust * DAY_MS)),
      cookieHash: secret === undefined ? null : this.secrets.hash(secret),
      trustHash:
        trustSecret === undefined ? (signIn.trustHash ?? null) : this.secrets.hash(trustSecret),
      trustedUntil: trustSecret === undefined ? null : new Date(now + daysOfTrust * DAY_MS),
    };
    if (manager) await runStatement(manager, INSERT + ROW, valuesOf(session));
    else await this.rowQueue.run(`player ${owner.id}`, () => this.insert(session));
    const { playerId, id: sid } = session;
    Object.assign(context, { playerId, sessionId: sid });
    this.countSignIn(playerId);
    return {
      sid,
      token: this.tokens.sign({ ...owner, sid }),
      cookie: secret && this.secrets.serialize({ playerId, id: sid, secret }),
      trust: trustSecret === undefined ? undefined : { playerId, sid, secret: trustSecret },
    };
  }

  /**
   * Starts a session without the second step in a browser that the player trusts. Returns undefined if the trust has
   * ended. The transaction writes to the session in which the trust was given, so that it waits for a request that ends
   * that session.
   */
  startTrusted(
    owner: Owner,
    trust: TrustCookie,
    signIn: Pick<SignInOptions, 'context' | 'remember'>,
  ): Promise<StartedSession | undefined> {
    if (trustDays(this.settings.current, this.environment) === 0) return Promise.resolve(undefined);
    return this.rowQueue.inTransaction(`player ${owner.id}`, async (manager) => {
      const now = sqlTime(currentDate());
      const trustHash = this.secrets.hash(trust.secret);
      const found = [owner.id, trust.sid, owner.ver, trustHash, now, now];
      const values = [now, signIn.context.address, ...found];
      const { affected } = await runStatement(manager, USE_TRUST, values);
      return affected === 1 ? this.start(owner, { ...signIn, trustHash }, manager) : undefined;
    });
  }

  /** Returns the newest active sessions. Sessions from before a password reset are excluded. */
  async list(playerId: number): Promise<Session[]> {
    const found = await this.sessions
      .createQueryBuilder('s')
      .addSelect('s.cookieHash')
      .innerJoin('player', 'p', 'p.id = s.player_id AND p.ver = s.ver')
      .where({ playerId, endedAt: IsNull(), expiresAt: MoreThan(currentDate()) })
      .orderBy('s.createdAt', 'DESC')
      .limit(MAX_LISTED)
      .getMany();
    const now = currentTime();
    const isOn = trustDays(this.settings.current, this.environment) > 0;
    for (const session of found)
      if (!isOn || Number(session.trustedUntil) <= now) session.trustedUntil = null;
    return found;
  }

  async end(playerId: number, id: string): Promise<number> {
    const ended = /^[1-9]\d{0,14}$/.test(id) ? await this.endById(playerId, Number(id)) : 0;
    if (ended === 0) throw new SessionNotFound();
    return ended;
  }

  /** Returns 1, or 0 if the session had already ended. Also ends the trust in its browser. */
  async endById(playerId: number, id: number): Promise<number> {
    const { manager } = this.sessions;
    const [found] = await selectRows<{ trustHash: string | null }>(manager, FIND_TRUST, [
      playerId,
      id,
    ]);
    // The trust ends first, so that a request that fails in between can be repeated.
    if (found?.trustHash) {
      const end = endTrustStatement(playerId);
      await this.write(playerId, `${end.sql} AND trust_hash = ?`, [...end.values, found.trustHash]);
    }
    const now = sqlTime(currentDate());
    const values = [now, playerId, now, id];
    return this.write(playerId, `${END_SESSIONS} AND id = ?`, values);
  }

  /** Ends all sessions in batches, except the one with `exceptId`. */
  async endOthers(playerId: number, exceptId = 0, manager?: EntityManager): Promise<number> {
    if (exceptId === 0 && !manager)
      return this.rowQueue.inTransaction(`player ${playerId}`, (own) =>
        this.endOthers(playerId, exceptId, own),
      );
    let ended = 0;
    for (let from = 0; ;) {
      const batch = await this.endBatch(playerId, exceptId, from, manager);
      ended += batch.ended;
      if (batch.isLast) break;
      from = batch.to;
    }
    // The event comes last, because its row in the queue stays locked until the commit.
    if (exceptId === 0) await this.events.announce(manager!, 'player.signed_out', playerId);
    return ended;
  }

  /**
   * Marks sessions as ended. The caller ends them in the same transaction by incrementing `ver`. Only one batch is
   * marked, so that the transaction does not fail for a player with too many sessions.
   */
  async markEnded(manager: EntityManager, playerId: number, exceptId = 0): Promise<number> {
    const { ended } = await this.endBatch(playerId, exceptId, 0, manager);
    if (exceptId === 0) await this.events.announce(manager, 'player.signed_out', playerId);
    return ended;
  }

  /** Records that the caller was just verified as the owner. Returns the time when this verification expires. */
  async confirm(
    { id, sid }: PlayerIdentity,
    { withSecondFactor = false } = {},
    manager?: EntityManager,
  ): Promise<Date> {
    if (sid === undefined) throw new SignInAgain();
    const confirmedAt = currentDate();
    const columns = withSecondFactor
      ? 'confirmed_at = ?, second_factor_at = ?'
      : 'confirmed_at = ?';
    const times = Array.from({ length: withSecondFactor ? 2 : 1 }, () => sqlTime(confirmedAt));
    const sql = `UPDATE session SET ${columns} WHERE player_id = ? AND id = ?`;
    await this.write(id, sql, [...times, id, sid], manager);
    return new Date(confirmedAt.getTime() + RECENT_PROOF_MINUTES * MINUTE_MS);
  }

  /** Continues a session after an increment of `ver` has ended all sessions. Returns the new token. */
  async renew(owner: Owner, sid: number, manager: EntityManager): Promise<string> {
    const renewed = { ver: owner.ver, confirmedAt: currentDate() };
    await manager.update(Session, { playerId: owner.id, id: sid }, renewed);
    await endTrust(manager, owner.id);
    return this.issueToken(owner, sid, manager);
  }

  /**
   * Issues another token and extends the session, because an expired session is not listed and cannot be ended. The
   * session is not extended beyond `session.max_days`.
   */
  async issueToken(owner: Owner, sid: number, manager: EntityManager): Promise<string> {
    const expiresAt = new Date(currentTime() + TOKEN_MS);
    const oldest = expiresAt.getTime() - this.settings.current.session.max_days * DAY_MS;
    const tooShort = { expiresAt: LessThan(expiresAt), createdAt: MoreThan(new Date(oldest)) };
    await manager.update(Session, { playerId: owner.id, id: sid, ...tooShort }, { expiresAt });
    return this.tokens.sign({ ...owner, sid });
  }

  private async endBatch(
    playerId: number,
    exceptId: number,
    from: number,
    manager?: EntityManager,
  ): Promise<{ ended: number; to: number; isLast: boolean }> {
    const reader = manager ?? this.sessions.manager;
    const [end] = await selectRows<{ id: number | string }>(reader, BATCH_END, [playerId, from]);
    const to = Number(end?.id ?? MAX_ID);
    const now = sqlTime(currentDate());
    const sql = `${END_SESSIONS} AND id > ? AND id <= ? AND id <> ?`;
    const values = [now, playerId, now, from, to, exceptId];
    const ended = await this.write(playerId, sql, values, manager);
    return { ended, to, isLast: end === undefined };
  }

  /** Deletes surplus sessions in the background at every eighth sign-in of a player. */
  private countSignIn(playerId: number): void {
    const count = (this.signIns.get(playerId) ?? 0) + 1;
    this.signIns.delete(playerId);
    const { max_per_account } = this.settings.current.session;
    if (count < Math.min(SIGN_INS_PER_COUNT, Math.ceil(max_per_account / 10))) {
      this.signIns.set(playerId, count);
      const [longestAgo] = this.signIns.keys();
      if (this.signIns.size > MAX_REMEMBERED_PLAYERS) this.signIns.delete(longestAgo!);
      return;
    }
    this.deleteSurplus(playerId).catch((error: Error) => {
      this.signIns.set(playerId, SIGN_INS_PER_COUNT);
      this.logger.warn(`cannot end surplus sessions of player ${playerId} yet: ${error.message}`);
    });
  }

  private async deleteSurplus(playerId: number): Promise<void> {
    for (;;) {
      const keep = this.settings.current.session.max_per_account;
      const { manager } = this.sessions;
      const rows = await selectRows<{ id: number }>(manager, SURPLUS, [playerId, keep]);
      if (rows.length === 0) return;
      const ids = rows.map(({ id }) => id);
      const list = ids.map(() => '?').join(', ');
      const sql = `DELETE FROM session WHERE player_id = ? AND id IN (${list})`;
      await this.write(playerId, sql, [playerId, ...ids]);
      if (rows.length < BATCH_SIZE) return;
    }
  }

  private insert(session: NewSession): Promise<void> {
    const isLocked = this.lockedPlayers.has(session.playerId);
    return isLocked ? this.insertAlone(session) : this.inserts.submit(session);
  }

  /** Stores concurrent sign-ins in one statement, or in separate statements if a player's rows are locked. */
  private async insertAll(sessions: NewSession[]): Promise<Array<void | Promise<void>>> {
    const rows = sessions.map(() => ROW).join(', ');
    const values = sessions.flatMap(valuesOf);
    if (await runUnlessLocked(this.sessions.manager, INSERT + rows, values))
      return sessions.map(() => undefined);
    return sessions.map((session) => this.insertAlone(session));
  }

  private async insertAlone(session: NewSession): Promise<void> {
    // Otherwise, players who do not return would remain in the set forever.
    if (this.lockedPlayers.size >= MAX_REMEMBERED_PLAYERS) this.lockedPlayers.clear();
    this.lockedPlayers.add(session.playerId);
    await runStatement(this.sessions.manager, INSERT + ROW, valuesOf(session));
    this.lockedPlayers.delete(session.playerId);
  }

  /** Writes in the caller's transaction if there is one, otherwise through the row queue. */
  private async write(
    playerId: number,
    sql: string,
    values: unknown[],
    manager?: EntityManager,
  ): Promise<number> {
    const run = async (writer: EntityManager) => (await runStatement(writer, sql, values)).affected;
    if (manager) return run(manager);
    return this.rowQueue.run(`player ${playerId}`, () => run(this.sessions.manager));
  }
}

/** Makes all browsers do the second step again, without ending their sessions. */
export async function endTrust(manager: EntityManager, playerId: number): Promise<void> {
  const { sql, values } = endTrustStatement(playerId);
  await runStatement(manager, sql, values);
}

function endTrustStatement(playerId: number): { sql: string; values: unknown[] } {
  // A session with neither trust nor a cookie ends with its last token, and no token is valid for longer than this.
  const lastToken = sqlTime(currentTime() + TOKEN_MS);
  return { sql: END_TRUST, values: [lastToken, lastToken, playerId] };
}

function valuesOf(session: NewSession): unknown[] {
  const { playerId, id, ver, device, os, browse, address, createdAt, expiresAt } = session;
  const confirmedAt = sqlTime(session.confirmedAt);
  const secondFactorAt = session.secondFactorAt && sqlTime(session.secondFactorAt);
  const now = sqlTime(createdAt);
  const times = [now, confirmedAt, secondFactorAt, now, sqlTime(expiresAt)];
  const trust = [session.trustHash, session.trustedUntil && sqlTime(session.trustedUntil)];
  return [playerId, id, ver, device, os, browse, address, ...times, session.cookieHash, ...trust];
}
