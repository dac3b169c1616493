import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { BAN_IN_FORCE_SQL } from '../../platform/auth/ban.js';
import { PlayerBan } from '../../platform/auth/player-ban.entity.js';
import { Session } from '../../platform/auth/session.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { type BackgroundJob, BackgroundJobs } from '../../platform/database/background-jobs.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { isMysql } from '../../platform/database/sql.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { EventOutbox } from '../../platform/events/event-outbox.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService, type Owner } from '../../platform/mail/mail.service.js';
import { SessionsService } from '../sessions/sessions.service.js';

const INTERVAL_MS = 5000;
const BATCH = 100;

/** `withdrawals` is 1 if only withdrawals are banned. `until` is empty for a permanent ban. */
const BAN_MAIL: MailKind<
  { withdrawals: number; until: Date | '' } & Record<'account' | 'reason' | 'support', string>
> = {
  name: 'ban',
  sample: {
    account: 'dragon_slayer',
    withdrawals: 0,
    reason: 'botting',
    until: new Date('2026-12-01T00:00:00Z'),
    support: 'https://game.example/support',
  },
  requiredValues: ['account', 'reason', 'until'],
};

/** `remaining` is 1 if another ban of the account is in force. `support` may be empty. */
const BAN_LIFTED_MAIL = {
  name: 'ban-lifted',
  sample: {
    account: 'dragon_slayer',
    withdrawals: 0,
    reason: 'botting',
    remaining: 0,
    support: 'https://game.example/support',
  },
  requiredValues: ['account', 'reason'],
} satisfies MailKind;

/**
 * Signs out banned players and mails them, however the ban was entered or lifted. The ban takes effect before this job
 * runs, because every player lookup checks for bans.
 */
@Injectable()
export class BannedPlayerSignOutService {
  readonly job: BackgroundJob;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly sessions: SessionsService,
    private readonly events: EventOutbox,
    private readonly settings: Settings,
    private readonly mail: MailService,
  ) {
    mail.register(BAN_MAIL);
    mail.register(BAN_LIFTED_MAIL);
    this.job = jobs.every(INTERVAL_MS, 'apply bans', () => this.applyAll());
  }

  async applyAll(): Promise<void> {
    const due = await this.dataSource.manager.find(PlayerBan, {
      where: { appliedAt: IsNull() },
      order: { id: 'ASC' },
      take: BATCH,
    });
    for (const ban of due) await this.jobs.attempt(`apply ban ${ban.id}`, () => this.apply(ban));
    const lifted = await this.dataSource.manager.find(PlayerBan, {
      where: { liftMailedAt: IsNull(), liftedAt: Not(IsNull()), appliedAt: Not(IsNull()) },
      order: { id: 'ASC' },
      take: BATCH,
    });
    for (const ban of lifted)
      await this.jobs.attempt(`mail lifted ban ${ban.id}`, () => this.announceLifting(ban));
  }

  private async apply({ id }: PlayerBan): Promise<void> {
    const applied = await inTransaction(this.dataSource, async (manager) => {
      const claim = { id, appliedAt: IsNull() };
      const { affected } = await manager.update(PlayerBan, claim, { appliedAt: currentDate() });
      if (affected !== 1) return undefined;
      // An operator may have lifted the ban meanwhile, so the row is read only after the claim has locked it.
      const ban = await manager.findOneByOrFail(PlayerBan, { id });
      const { playerId, scope, createdAt, until, liftedAt } = ban;
      const isOver = liftedAt !== null || (until !== null && until.getTime() <= currentTime());
      // The player may have signed in again after the ban, so only sessions from before the ban end.
      const older = { playerId, endedAt: IsNull(), createdAt: LessThanOrEqual(createdAt) };
      // The owner was never told about this ban, so its end needs no e-mail either.
      if (isOver) await manager.update(PlayerBan, { id }, { liftMailedAt: currentDate() });
      if (scope === 'all' && isOver)
        await manager.update(Session, older, { endedAt: currentDate() });
      else if (scope === 'all') await this.sessions.endOthers(playerId, undefined, manager);
      if (!isOver) await this.announceBan(manager, ban);
      return { ban, isOver };
    });
    if (applied && !applied.isOver)
      this.mail.warnOwner(applied.ban.playerId, (owner) => this.mailOwner(owner, applied.ban));
  }

  /** Announces the ban that is in force now, because a player may have several bans of one scope. */
  private async announceBan(
    manager: EntityManager,
    { playerId, ...ban }: Omit<PlayerBan, 'id' | 'player'>,
  ): Promise<void> {
    const { scope } = ban;
    const query = manager
      .createQueryBuilder(PlayerBan, 'b')
      .where(BAN_IN_FORCE_SQL)
      .andWhere({ playerId, scope })
      .orderBy('CASE WHEN b.until IS NULL THEN 0 ELSE 1 END')
      .addOrderBy('b.until', 'DESC');
    // Another instance may be announcing another ban of the player, and the last event must describe the ban in force.
    if (isMysql(manager.dataSource)) query.setLock('pessimistic_read');
    const inForce = await query.getOne();
    const { reason, until } = inForce ?? ban;
    const details = { scope, reason, until: until?.toISOString() ?? null };
    const type = inForce ? 'player.banned' : 'player.unbanned';
    await this.events.announce(manager, type, playerId, details);
  }

  private async announceLifting({ id, playerId, until, ...ban }: PlayerBan): Promise<void> {
    const claim = { id, liftMailedAt: IsNull(), liftedAt: Not(IsNull()) };
    const wasOver = until !== null && until.getTime() <= currentTime();
    const isClaimed = await inTransaction(this.dataSource, async (manager) => {
      const { affected } = await manager.update(PlayerBan, claim, { liftMailedAt: currentDate() });
      if (affected === 1 && !wasOver) await this.announceBan(manager, { playerId, until, ...ban });
      return affected === 1;
    });
    if (!isClaimed || wasOver) return;
    const remaining = await this.dataSource.manager
      .createQueryBuilder(PlayerBan, 'b')
      .where(BAN_IN_FORCE_SQL)
      .andWhere({ playerId })
      .getExists();
    const values = {
      withdrawals: ban.scope === 'withdraw' ? 1 : 0,
      reason: ban.reason,
      remaining: remaining ? 1 : 0,
      support: this.settings.current.support_url ?? '',
    };
    this.mail.warnOwner(playerId, ({ player: { account }, email }) =>
      this.mail.send(email, BAN_LIFTED_MAIL, { account, ...values }, playerId),
    );
  }

  private async mailOwner(
    { player, email }: Owner,
    { scope, reason, until }: PlayerBan,
  ): Promise<void> {
    const values = {
      account: player.account,
      withdrawals: scope === 'withdraw' ? 1 : 0,
      reason,
      until: until ?? '',
      support: this.settings.current.support_url ?? '',
    };
    await this.mail.send(email, BAN_MAIL, values, player.id);
  }
}
