import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { PlayerBan } from '../../platform/auth/player-ban.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { type BackgroundJob, BackgroundJobs } from '../../platform/database/background-jobs.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { SessionsService } from '../sessions/sessions.service.js';

const INTERVAL_MS = 5000;
const BATCH = 100;

/**
 * `withdrawals`: 1 if only withdrawals are banned. `until` is empty for a permanent ban, `support` without a support
 * address.
 */
const BAN_MAIL = {
  name: 'ban',
  sample: {
    account: 'dragon_slayer',
    withdrawals: 0,
    reason: 'botting',
    until: '2026-12-01 00:00 UTC',
    support: 'https://game.example/support',
  },
  requiredValues: ['account', 'reason', 'until'],
} satisfies MailKind;

/**
 * Ends the sessions of players who were banned and mails them, however the ban was entered. The ban itself is in force
 * at once, because every look-up of a player finds it.
 */
@Injectable()
export class BanApplier {
  readonly job: BackgroundJob;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly sessions: SessionsService,
    private readonly settings: Settings,
    private readonly mail: MailService,
  ) {
    mail.register(BAN_MAIL);
    this.job = jobs.every(INTERVAL_MS, 'apply bans', () => this.applyAll());
  }

  async applyAll(): Promise<void> {
    const due = await this.dataSource.manager.find(PlayerBan, {
      where: { appliedAt: IsNull() },
      order: { id: 'ASC' },
      take: BATCH,
    });
    for (const ban of due) await this.jobs.attempt(`apply ban ${ban.id}`, () => this.apply(ban));
  }

  private async apply(ban: PlayerBan): Promise<void> {
    const { id, playerId, scope, until, liftedAt } = ban;
    const isMine = await inTransaction(this.dataSource, async (manager) => {
      const now = new Date();
      const claim = { id, appliedAt: IsNull() };
      const { affected } = await manager.update(PlayerBan, claim, { appliedAt: now });
      if (affected !== 1) return false;
      if (scope === 'all') await this.sessions.endOthers(playerId, undefined, manager);
      return true;
    });
    const isOver = liftedAt !== null || (until !== null && until.getTime() <= Date.now());
    if (isMine && !isOver) this.mail.enqueue(() => this.mailOwner(ban), { again: true });
  }

  private async mailOwner({ playerId, scope, reason, until }: PlayerBan): Promise<void> {
    const owner = await this.mail.findOwner(playerId);
    if (!owner) return;
    const values = {
      account: owner.player.account,
      withdrawals: scope === 'withdraw' ? 1 : 0,
      reason,
      until: until ? formatMailTime(until) : '',
      support: this.settings.current.support_url ?? '',
    };
    await this.mail.send(owner.email, BAN_MAIL, values, playerId);
  }
}
