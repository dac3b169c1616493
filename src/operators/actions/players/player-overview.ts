import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import type { Player } from '../../../platform/auth/player.entity.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import { LoginEvent } from '../../../platform/audit/login-event.entity.js';
import type { Session } from '../../../platform/auth/session.entity.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import { ServerVisit } from '../../../features/game/server-visit.entity.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { LinksService } from '../../../features/links/links.service.js';
import type { PlayerLink } from '../../../features/links/player-link.entity.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { WithdrawalStore } from '../../../features/withdraw/record/withdrawal-store.js';
import { summarizeFactors } from '../../../features/second-factor/factor-summary.js';
import type { PlayerPasskey } from '../../../features/second-factor/player-passkey.entity.js';
import { newestRows } from '../newest-rows.js';
import { playerAuditSubject, withSettledWithdrawals } from '../audit-subjects.js';
import { MailEvent } from '../../../platform/audit/mail-event.entity.js';
import { findReplacedMailbox } from './secured-mailbox.js';
import { findSignInFacts, type SignInFacts } from './sign-in-obstacles.js';
import { type ListedBan, PlayerBans } from './player-bans.js';
import { type PlayerLock, PlayerLocks } from './player-locks.js';

const PREVIEW_LIMIT = 10;

export type SessionSummary = Omit<Session, 'cookieHash'> & { remembered: boolean };

export interface VisitedServer {
  server: number;
  /** Null if the server no longer exists. */
  name: string | null;
  enteredAt: Date;
  times: number;
}

/** Nothing of keys and secrets. */
export interface ShownFactors {
  totp: boolean;
  passkeys: Array<Pick<PlayerPasskey, 'id' | 'name' | 'createdAt' | 'usedAt'>>;
  recoveryCodesLeft: number;
}

export interface PlayerOverviewData {
  player: Player;
  /** Where the mailbox changed a short time ago: maybe not by the owner. */
  replacedMailbox: string | null;
  sessions: SessionSummary[];
  servers: VisitedServer[];
  links: PlayerLink[];
  factors: ShownFactors;
  bans: ListedBan[];
  locks: PlayerLock[];
  locksAreShared: boolean;
  logins: LoginEvent[];
  /** The newest successful ones: failures of strangers may fill `logins`. */
  lastLogin: LoginEvent | null;
  withdrawals: Withdrawal[];
  acts: AuditEvent[];
  signIn: SignInFacts;
}

export interface LoginFilter {
  since?: Date;
  outcome?: string;
  /** The last one of the previous page. */
  before?: string;
  limit: number;
}

/** Everything known about a player, for operators. */
@Injectable()
export class PlayerOverview {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: LinksService,
    private readonly bans: PlayerBans,
    private readonly locks: PlayerLocks,
    private readonly withdrawalStore: WithdrawalStore,
    private readonly audit: AuditLog,
    private readonly sessionsService: SessionsService,
  ) {}

  async load(player: Player): Promise<PlayerOverviewData> {
    const { id } = player;
    const [lastLogin = null] = await this.logins(id, { outcome: 'ok', limit: 1 });
    return {
      player,
      replacedMailbox: await findReplacedMailbox(this.dataSource.manager, id),
      sessions: await this.sessions(id),
      servers: await this.visitedServers(id),
      links: await this.links.findByPlayer(id),
      factors: await this.factors(id),
      bans: await this.bans.findByPlayer(id),
      locks: await this.locks.findByPlayer(id),
      locksAreShared: this.locks.areShared,
      logins: await this.logins(id, { limit: PREVIEW_LIMIT }),
      lastLogin,
      withdrawals: await this.withdrawals(id, PREVIEW_LIMIT),
      acts: await this.acts(id),
      signIn: await findSignInFacts(this.dataSource, player),
    };
  }

  logins(playerId: number, { outcome, ...span }: LoginFilter): Promise<LoginEvent[]> {
    const query = this.dataSource
      .createQueryBuilder(LoginEvent, 'e')
      .where('e.player_id = :playerId', { playerId });
    if (outcome) query.andWhere('e.outcome = :outcome', { outcome });
    return newestRows(query, span);
  }

  /** Where the player is signed in. Nothing about the cookie is returned. */
  async sessions(playerId: number): Promise<SessionSummary[]> {
    const sessions = await this.sessionsService.list(playerId);
    return sessions.map(({ cookieHash, ...session }) => ({
      ...session,
      remembered: cookieHash !== null,
    }));
  }

  private async acts(playerId: number): Promise<AuditEvent[]> {
    const own = [playerAuditSubject(playerId)];
    const subjects = await withSettledWithdrawals(this.dataSource.manager, own);
    return this.audit.findBySubjects(subjects, PREVIEW_LIMIT);
  }

  /** Newest first. */
  mails(playerId: number, limit: number): Promise<MailEvent[]> {
    return this.dataSource.manager.find(MailEvent, {
      where: { playerId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
    });
  }

  private async factors(playerId: number): Promise<ShownFactors> {
    const { passkeys, ...others } = await summarizeFactors(this.dataSource.manager, playerId);
    const shown = passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt,
      usedAt,
    }));
    return { ...others, passkeys: shown };
  }

  private async visitedServers(playerId: number): Promise<VisitedServer[]> {
    const { manager } = this.dataSource;
    const visits = await manager.find(ServerVisit, {
      where: { playerId },
      order: { enteredAt: 'DESC' },
      take: PREVIEW_LIMIT,
    });
    const servers = await manager.findBy(GameServer, {
      id: In(visits.map(({ serverId }) => serverId)),
    });
    return visits.map(({ serverId, enteredAt, enterCount }) => ({
      server: serverId,
      name: servers.find(({ id }) => id === serverId)?.name ?? null,
      enteredAt,
      times: enterCount,
    }));
  }

  withdrawals(playerId: number, limit: number, before?: number): Promise<Withdrawal[]> {
    return this.withdrawalStore.listByPlayer(playerId, before, limit);
  }
}
