import { Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsWhere, LessThan, MoreThanOrEqual } from 'typeorm';
import type { Player } from '../../auth/player.entity.js';
import { AuditBook } from '../../journal/audit-book.js';
import type { AuditEvent } from '../../journal/audit-event.entity.js';
import { LoginEvent } from '../../journal/login-event.entity.js';
import type { Session } from '../../auth/session.entity.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { LinksService } from '../../links/links.service.js';
import type { PlayerLink } from '../../links/player-link.entity.js';
import type { Withdrawal } from '../../withdraw/record/withdrawal.entity.js';
import { WithdrawalBook } from '../../withdraw/record/withdrawal-book.js';
import { PlayerEdits, subjectOfPlayer, toIso } from '../player-edits.js';
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
  /** Only those with a smaller id: the next page. */
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
    private readonly edits: PlayerEdits,
    private readonly sessionsService: SessionsService,
  ) {}

  async of(player: Player): Promise<Overview> {
    await this.edits.compare(player.id, player.disabledAt);
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

  /** Newest first. Paged by id, so that it stays quick in a table of millions. */
  logins(playerId: number, filter: LoginFilter): Promise<LoginEvent[]> {
    const { since, outcome, before, limit } = filter;
    const where: FindOptionsWhere<LoginEvent> = { playerId };
    if (since) where.createdAt = MoreThanOrEqual(since);
    if (outcome) where.outcome = outcome;
    if (before) where.id = LessThan(before);
    return this.dataSource.manager.find(LoginEvent, { where, order: { id: 'DESC' }, take: limit });
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
