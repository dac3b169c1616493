import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { PlayerBan } from '../../platform/auth/player-ban.entity.js';
import { type BackgroundJob, BackgroundJobs } from '../../platform/database/background-jobs.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { BanMail } from './ban-mail.js';

const INTERVAL_MS = 5000;
const BATCH = 100;

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
    private readonly mail: BanMail,
  ) {
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
    if (isMine && !isOver) this.mail.send(ban);
  }
}
