import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../../platform/config/calendar-day.js';
import { type AdmissionColumns, banSql } from '../../platform/auth/ban.js';
import type { Session } from '../../platform/auth/session.entity.js';
import { Batcher } from '../../platform/database/batcher.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { runStatement, selectRows } from '../../platform/database/statement.js';

export type NewSession = Pick<
  Session,
  | 'playerId'
  | 'id'
  | 'ver'
  | 'device'
  | 'os'
  | 'browse'
  | 'address'
  | 'createdAt'
  | 'secondFactorAt'
  | 'expiresAt'
  | 'cookieHash'
>;

/** A session that has not expired, with its player, as a refresh needs it. */
export interface RefreshableSession extends AdmissionColumns {
  account: string;
  ver: number;
  endedAt: unknown;
  cookieHash: string | null;
  cookieSalt: string | null;
  previousHash: string | null;
  /** The previous cookie was replaced a moment ago. */
  inGrace: number | string | null;
}

export interface CookieRotation {
  playerId: number;
  id: number;
  /** The currently stored hash; a different one means that another request came first. */
  from: string;
  to: string;
  salt: string;
  address: string;
  expiresAt: Date;
}

const ROWS_PER_STATEMENT = 64;
const INSERT =
  'INSERT INTO session (player_id, id, ver, device, os, browse, address, created_at, confirmed_at, second_factor_at, seen_at, expires_at, cookie_hash) VALUES ';
const ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const FIND_FOR_REFRESH = `SELECT p.account, p.ver, p.disabled_at AS disabledAt, ${banSql('p.id')} AS ban,
    s.ended_at AS endedAt, s.cookie_hash AS cookieHash,
    s.cookie_salt AS cookieSalt, s.previous_hash AS previousHash, s.rotated_at > ? AS inGrace
  FROM session s INNER JOIN player p ON p.id = s.player_id AND p.ver = s.ver
  WHERE s.player_id = ? AND s.id = ? AND s.cookie_hash IS NOT NULL AND s.expires_at > ?`;
// MySQL assigns from left to right: the previous hash has to come first. The proof ends: a cookie may be a stolen copy.
const ROTATE = `UPDATE session SET previous_hash = cookie_hash, cookie_hash = ?, cookie_salt = ?, rotated_at = ?,
    seen_at = ?, expires_at = ?, address = ?, confirmed_at = ?, second_factor_at = NULL
  WHERE player_id = ? AND id = ? AND cookie_hash = ? AND ended_at IS NULL`;
const END_PROOF =
  'UPDATE session SET confirmed_at = ?, second_factor_at = NULL WHERE player_id = ? AND id = ?';
const END =
  'UPDATE session SET ended_at = ? WHERE player_id = ? AND ended_at IS NULL AND expires_at > ?';

/** The statements on `session`. */
@Injectable()
export class SessionStore {
  private readonly inserts = new Batcher<NewSession, void>(
    (sessions) => this.insertAll(sessions),
    ROWS_PER_STATEMENT,
  );

  constructor(
    private readonly dataSource: DataSource,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(DAY_MS, 'session', 'expires_at');
  }

  /** Outside a transaction, concurrent sign-ins are stored in one statement. */
  async insert(session: NewSession, manager?: EntityManager): Promise<void> {
    if (!manager) return this.inserts.submit(session);
    await runStatement(manager, INSERT + ROW, valuesOf(session));
  }

  async findForRefresh(
    playerId: number,
    id: number,
    rotatedAfter: Date,
  ): Promise<RefreshableSession | undefined> {
    const values = [sqlTime(rotatedAfter), playerId, id, sqlTime(new Date())];
    const [row] = await selectRows<RefreshableSession>(
      this.dataSource.manager,
      FIND_FOR_REFRESH,
      values,
    );
    return row;
  }

  /** False if another request has replaced the cookie. */
  async rotate(rotation: CookieRotation): Promise<boolean> {
    const { playerId, id, from, to, salt, address, expiresAt } = rotation;
    const now = sqlTime(new Date());
    const next = [to, salt, now, now, sqlTime(expiresAt), address, sqlTime(0)];
    const values = [...next, playerId, id, from];
    return (await this.run(ROTATE, values)) === 1;
  }

  /** As with `rotate`, for a cookie that was just replaced. */
  async endProof(playerId: number, id: number): Promise<void> {
    await this.run(END_PROOF, [sqlTime(0), playerId, id]);
  }

  /** Ends the session with this cookie. False if another request came first. */
  async endByCookie(playerId: number, id: number, cookieHash: string | null): Promise<boolean> {
    const now = sqlTime(new Date());
    const values = [now, playerId, now, id, cookieHash];
    return (await this.run(`${END} AND id = ? AND cookie_hash = ?`, values)) === 1;
  }

  async end(playerId: number, id: number): Promise<number> {
    const now = sqlTime(new Date());
    return this.run(`${END} AND id = ?`, [now, playerId, now, id]);
  }

  async endOthers(
    playerId: number,
    exceptId: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<number> {
    const now = sqlTime(new Date());
    return this.run(`${END} AND id <> ?`, [now, playerId, now, exceptId], manager);
  }

  private async run(
    sql: string,
    values: unknown[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<number> {
    return (await runStatement(manager, sql, values)).affected;
  }

  private async insertAll(sessions: NewSession[]): Promise<void[]> {
    const rows = sessions.map(() => ROW).join(', ');
    await this.dataSource.query(INSERT + rows, sessions.flatMap(valuesOf));
    return sessions.map(() => undefined);
  }
}

function valuesOf(session: NewSession): unknown[] {
  const { playerId, id, ver, device, os, browse, address, createdAt, expiresAt } = session;
  const secondFactorAt = session.secondFactorAt && sqlTime(session.secondFactorAt);
  const now = sqlTime(createdAt);
  const times = [now, now, secondFactorAt, now, sqlTime(expiresAt)];
  return [playerId, id, ver, device, os, browse, address, ...times, session.cookieHash];
}
