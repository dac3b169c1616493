import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Player } from '../../auth/player.entity.js';
import { pageRows } from '../../database/page-rows.js';
import { sqlTime } from '../../database/sql-time.js';
import { AuditBook } from '../../journal/audit-book.js';
import type { AuditEvent } from '../../journal/audit-event.entity.js';
import { LoginEvent } from '../../journal/login-event.entity.js';
import type { Session } from '../../auth/session.entity.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { LinksService } from '../../links/links.service.js';
import type { PlayerLink } from '../../links/player-link.entity.js';
import type { Withdrawal } from '../../withdraw/record/withdrawal.entity.js';
import { WithdrawalBook } from '../../withdraw/record/withdrawal-book.js';
import { subjectOfPlayer, toIso } from '../player-edits.js';
import { type PlayerLock, PlayerLocks } from './player-locks.js';

const FEW = 10;

export type ShownSession = Omit<Session, 'cookieHash'> & { remembered: boolean };

export interface EnteredZone {
  zone: number;
  /** Null where there is no such zone any more. */
  name: string | null;
  enteredAt: Date;
  times: number;
}

export interface Overview {
  player: Player;
  sessions: ShownSession[];
  zones: EnteredZone[];
  links: PlayerLink[];
  locks: PlayerLock[];
  locksAreShared: boolean;
  logins: LoginEvent[];
  /** The newest that worked: failures of strangers may fill `logins`. */
  lastLogin: LoginEvent | null;
  withdrawals: Withdrawal[];
  acts: AuditEvent[];
}

export interface LoginFilter {
  since?: Date;
  outcome?: string;
  /** The last one of the page before. */
  before?: string;
  limit: number;
}

/** Everything that is known of a player, for operators. */
@Injectable()
export class PlayerOverview {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: LinksService,
    private readonly locks: PlayerLocks,
    private readonly withdrawalBook: WithdrawalBook,
    private readonly audit: AuditBook,
    private readonly sessionsService: SessionsService,
  ) {}

  async of(player: Player): Promise<Overview> {
    const [sessions, zones, links, locks, logins, [lastLogin = null], withdrawals, acts] =
      await Promise.all([
        this.sessions(player.id),
        this.zones(player.id),
        this.links.ofPlayer(player.id),
        this.locks.of(player.id),
        this.logins(player.id, { limit: FEW }),
        this.logins(player.id, { outcome: 'ok', limit: 1 }),
        this.withdrawals(player.id, FEW),
        this.audit.of(subjectOfPlayer(player.id), FEW),
      ]);
    const locksAreShared = this.locks.areShared;
    const found = { sessions, zones, links, locks, logins, lastLogin, withdrawals, acts };
    return { player, locksAreShared, ...found };
  }

  /** Newest first. Paged by time and id: with an outcome and without there is an index that ends with the time. */
  async logins(playerId: number, filter: LoginFilter): Promise<LoginEvent[]> {
    const { since, outcome, before, limit } = filter;
    const query = this.dataSource
      .createQueryBuilder(LoginEvent, 'e')
      .where('e.player_id = :playerId', { playerId });
    if (since) query.andWhere('e.created_at >= :since', { since: sqlTime(since) });
    if (outcome) query.andWhere('e.outcome = :outcome', { outcome });
    if (before !== undefined) {
      const last = await this.dataSource.manager.findOneBy(LoginEvent, { id: before });
      // Retention deletes the oldest: what came before it is gone as well.
      if (!last) return [];
      const older = 'e.created_at <= :at AND (e.created_at < :at OR e.id < :before)';
      query.andWhere(older, { at: sqlTime(last.createdAt), before });
    }
    return pageRows(query.orderBy('e.createdAt', 'DESC').addOrderBy('e.id', 'DESC').limit(limit));
  }

  /** Where the player is signed in. Nothing of the cookie leaves this. */
  async sessions(playerId: number): Promise<ShownSession[]> {
    const sessions = await this.sessionsService.list(playerId);
    return sessions.map(({ cookieHash, ...session }) => ({
      ...session,
      remembered: cookieHash !== null,
    }));
  }

  private async zones(playerId: number): Promise<EnteredZone[]> {
    const rows = await this.dataSource.query<Array<Record<string, unknown>>>(
      `SELECT server_id AS zone, (SELECT name FROM server WHERE server.id = player_zone.server_id) AS name,
          entered_at AS entered, enter_count AS times FROM player_zone
        WHERE player_id = ? ORDER BY entered_at DESC LIMIT ${FEW}`,
      [playerId],
    );
    return rows.map((row) => ({
      zone: Number(row.zone),
      name: row.name as string | null,
      enteredAt: new Date(toIso(row.entered)!),
      times: Number(row.times),
    }));
  }

  withdrawals(playerId: number, limit: number, before?: number): Promise<Withdrawal[]> {
    return this.withdrawalBook.listOf(playerId, before, limit);
  }
}
