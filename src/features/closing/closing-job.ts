import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type BackgroundJob, BackgroundJobs } from '../../platform/database/background-jobs.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { selectRows } from '../../platform/database/statement.js';
import { Anonymiser } from './anonymiser.js';

const INTERVAL_MS = 60_000;
// Longer than a request, an event in memory and the retries of a mail last.
const FINISH_AFTER_MS = 30 * 60_000;
const MAX_PER_ROUND = 10_000;
// An account with an open withdrawal waits for its outcome.
const DUE = `SELECT p.id, p.closed_at IS NOT NULL AS isClosed FROM player p
  WHERE p.closing_at <= ? AND (p.closed_at IS NULL OR p.closed_at <= ?)
    AND NOT EXISTS (SELECT 1 FROM withdraw w WHERE w.player_id = p.id AND w.is_open = 1 AND p.closed_at IS NULL)
  LIMIT ${MAX_PER_ROUND}`;

/**
 * Closes the accounts that are due. The row gives each account to one instance. Uses the database's clock, because a
 * closing cannot be undone.
 */
@Injectable()
export class ClosingJob {
  readonly job: BackgroundJob;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly clock: DatabaseClock,
    private readonly anonymiser: Anonymiser,
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
    // Each instance begins elsewhere, so that they seldom wait for each other.
    const start = Math.floor(Math.random() * due.length);
    for (const { id, isClosed } of [...due.slice(start), ...due.slice(0, start)]) {
      if (stop?.aborted) return;
      await this.jobs.attempt(`close player ${id}`, () =>
        Number(isClosed) ? this.anonymiser.finish(id) : this.anonymiser.close(id, new Date(now)),
      );
    }
  }
}
