import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { type AuditEvent, LoginEvent, MailEvent } from '../../../platform/audit/audit.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { Session } from '../../../platform/auth/session.entity.js';
import { ServerVisit } from '../../../features/game/server-visits.js';
import { LinksService } from '../../../features/links/links.service.js';
import { summarizeFactors } from '../../../features/second-factor/second-factors.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import { WithdrawalStore } from '../../../features/withdraw/record/withdrawal-store.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { playerAuditSubject, withSettledWithdrawals } from '../events/event-search.js';
import { newestRows } from '../page-rows.js';
import { findReplacedMailbox } from './player-actions.js';
import { PlayerBans } from './player-bans.js';
import { findStanding } from './player-standing.js';
import { SignInLocks } from './sign-in-locks.js';
import { findSignInFacts } from './sign-in-obstacles.js';

const PREVIEW_LIMIT = 10;

export type SessionSummary = Omit<Session, 'cookieHash'> & { remembered: boolean };

export type PlayerOverviewData = Awaited<ReturnType<PlayerOverview['load']>>;

export interface LoginFilter {
  since?: Date;
  outcome?: string;
  before?: string;
  limit: number;
}

@Injectable()
export class PlayerOverview {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: LinksService,
    private readonly bans: PlayerBans,
    private readonly locks: SignInLocks,
    private readonly withdrawalStore: WithdrawalStore,
    private readonly audit: AuditLog,
    private readonly sessionsService: SessionsService,
    private readonly settings: Settings,
  ) {}

  async load(player: Player) {
    const { id } = player;
    // The last login needs its own query, because failed attempts by strangers may fill `logins`.
    const [lastLogin = null] = await this.logins(id, { outcome: 'ok', limit: 1 });
    const knownAddresses = await this.locks.knownAddresses(id);
    const found = {
      player,
      // This is set if the e-mail address changed recently, because a thief may have changed it.
      replacedMailbox: await findReplacedMailbox(this.dataSource.manager, id),
      sessions: await this.sessions(id),
      servers: await this.visitedServers(id),
      links: await this.links.findByPlayer(id),
      factors: await summarizeFactors(this.dataSource.manager, id),
      bans: await this.bans.findByPlayer(id),
      knownAddresses,
      locks: await this.locks.findByPlayer(id, knownAddresses),
      locksAreShared: this.locks.areShared,
      logins: await this.logins(id, { limit: PREVIEW_LIMIT }),
      lastLogin,
      withdrawals: await this.withdrawals(id, PREVIEW_LIMIT),
      acts: await this.acts(id),
      signIn: await findSignInFacts(this.dataSource, player),
    };
    const standing = findStanding({
      ...found,
      hasPassword: found.signIn.hasPassword,
      hasOtherWayIn: found.links.length > 0 || found.factors.passkeys.length > 0,
      isSignedIn: found.sessions.length > 0,
      withdraw: this.settings.current.withdraw,
      now: currentTime(),
    });
    return { ...found, standing };
  }

  logins(playerId: number, { outcome, ...span }: LoginFilter): Promise<LoginEvent[]> {
    const query = this.dataSource
      .createQueryBuilder(LoginEvent, 'e')
      .where('e.player_id = :playerId', { playerId });
    if (outcome) query.andWhere('e.outcome = :outcome', { outcome });
    return newestRows(query, span);
  }

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

  mails(playerId: number, limit: number): Promise<MailEvent[]> {
    return this.dataSource.manager.find(MailEvent, {
      where: { playerId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
    });
  }

  private async visitedServers(playerId: number) {
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
      // A deleted server has no name.
      name: servers.find(({ id }) => id === serverId)?.name ?? null,
      enteredAt,
      times: enterCount,
    }));
  }

  withdrawals(playerId: number, limit: number, before?: number): Promise<Withdrawal[]> {
    return this.withdrawalStore.listByPlayer(playerId, before, limit);
  }
}
