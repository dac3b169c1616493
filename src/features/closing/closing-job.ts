import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import {
  isDatabaseUnavailable,
  isNotYetConnected,
} from '../../platform/database/database-errors.js';
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
 * Closes the accounts whose time has come. Runs on every instance; the row gives each account to one of them. By the
 * database's clock, because this cannot be undone.
 */
@Injectable()
export class ClosingJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ClosingJob.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private isStopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: DatabaseClock,
    private readonly anonymiser: Anonymiser,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.closeDue(), INTERVAL_MS).unref();
    void this.closeDue();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.isStopping = true;
    await this.running;
  }

  /** One round; a second call meanwhile waits for the same. */
  closeDue(): Promise<void> {
    this.running ??= this.runOnce()
      .catch((error: unknown) => this.report('accounts to close could not be read', error))
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private async runOnce(): Promise<void> {
    const now = await this.clock.now();
    const due = await selectRows<{ id: number; isClosed: number | string }>(
      this.dataSource.manager,
      DUE,
      [sqlTime(now), sqlTime(now - FINISH_AFTER_MS)],
    );
    // Each instance begins elsewhere, so that they seldom wait for each other.
    const start = Math.floor(Math.random() * due.length);
    for (const { id, isClosed } of [...due.slice(start), ...due.slice(0, start)]) {
      if (this.isStopping) return;
      const work = Number(isClosed)
        ? this.anonymiser.finish(id)
        : this.anonymiser.close(id, new Date(now));
      await work.catch((error: unknown) => this.report(`player ${id} could not be closed`, error));
    }
  }

  private report(what: string, error: unknown): void {
    if (isNotYetConnected(error, this.dataSource) || isDatabaseUnavailable(error))
      this.logger.debug(`${what} yet: ${(error as Error).message}`);
    else this.logger.error({ err: error, msg: what });
  }
}
