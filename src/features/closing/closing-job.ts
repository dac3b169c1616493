import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type BackgroundJob, BackgroundJobs } from '../../platform/database/background-jobs.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { sqlTime, selectRows } from '../../platform/database/sql.js';
import { hasOpenWithdrawalSql } from '../withdraw/record/withdrawal-rows.js';
import { PersonalDataRemovalService } from './personal-data-removal.service.js';

const INTERVAL_MS = 60_000;
// After this time, no request, buffered event or e-mail retry for the closed account can still be running.
const FINISH_AFTER_MS = 30 * 60_000;
const MAX_PER_ROUND = 10_000;
// An account with an open withdrawal is closed only after the withdrawal has an outcome.
const DUE = `SELECT p.id, p.closed_at IS NOT NULL AS isClosed FROM player p
  WHERE p.closing_at <= ? AND (p.closed_at <= ? OR p.closed_at IS NULL AND NOT ${hasOpenWithdrawalSql('p.id')})
  LIMIT ${MAX_PER_ROUND}`;

/**
 * Closes the accounts that are due. The player's row ensures that only one instance closes an account. The job uses the
 * database's clock, because a closing cannot be undone.
 */
@Injectable()
export class ClosingJob {
  readonly job: BackgroundJob;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly clock: DatabaseClock,
    private readonly removal: PersonalDataRemovalService,
  ) {
    this.job = jobs.every(INTERVAL_MS, 'close accounts', (stop) => this.closeDue(stop));
  }

  async closeDue(stop?: AbortSignal): Promise<void> {
    const now = await this.clock.now();
    const due = await selectRows<{ id: number; isClosed: number | string }>(
      this.dataSource.manager,
      DUE,
      [sqlTime(now), sqlTime(now - FINISH_AFTER_MS)],
    );
    // Each instance starts at a random account, so that instances rarely wait for each other.
    const start = Math.floor(Math.random() * due.length);
    for (const { id, isClosed } of [...due.slice(start), ...due.slice(0, start)]) {
      if (stop?.aborted) return;
      await this.jobs.attempt(`close player ${id}`, () =>
        Number(isClosed) ? this.removal.finish(id) : this.removal.close(id, new Date(now)),
      );
    }
  }
}
