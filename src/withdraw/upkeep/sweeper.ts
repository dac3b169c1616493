import { setMaxListeners } from 'node:events';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  isBeforeTheFirstConnection,
  isDatabaseUnavailable,
} from '../../database/database-errors.js';
import { AbandonedWithdrawals } from './abandoned-withdrawals.js';
import { UnknownAlarm } from './unknown-alarm.js';
import { UnknownInquiry } from './unknown-inquiry.js';
import { WithdrawalBook } from '../record/withdrawal-book.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';

const EVERY_MS = 30_000;
const WATCH_EVERY_MS = 10_000;

/** Finds what a dying process left behind. Runs on every instance; each step is won by one of them. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private timers: NodeJS.Timeout[] = [];
  private running?: Promise<void>;
  private readonly end = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly abandoned: AbandonedWithdrawals,
    private readonly book: WithdrawalBook,
    private readonly inquiry: UnknownInquiry,
    private readonly alarm: UnknownAlarm,
  ) {
    // One call for each zone listens.
    setMaxListeners(0, this.end.signal);
  }

  onApplicationBootstrap(): void {
    const watch = () => void this.abandoned.look().catch(() => undefined);
    this.timers = [
      setInterval(() => void this.sweep(), EVERY_MS).unref(),
      setInterval(watch, WATCH_EVERY_MS).unref(),
    ];
    void this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.end.abort();
    await this.running;
  }

  /** One round; a second call meanwhile waits for the same. */
  sweep(): Promise<void> {
    this.running ??= this.round()
      .catch((error: Error) => {
        if (isDatabaseUnavailable(error) || isBeforeTheFirstConnection(error, this.dataSource))
          this.logger.warn(`the sweep of withdrawals has to wait: ${error.message}`);
        else this.logger.error(error);
      })
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private async round(): Promise<void> {
    for (const withdrawal of await this.abandoned.look()) await this.giveUp(withdrawal);
    await this.book.noteEdits();
    await this.inquiry.askForAll(this.end.signal);
    await this.alarm.look();
  }

  private async giveUp(withdrawal: Withdrawal): Promise<void> {
    const { id, status } = withdrawal;
    if (status === 'sending') {
      const because = { cause: 'sweeper', evidence: 'nobody wrote down an outcome' } as const;
      if (await this.book.move(withdrawal, 'sending', 'unknown', because))
        this.logger.error(`withdrawal ${id} was left in sending: its outcome is unknown`);
      return;
    }
    const because = { cause: 'sweeper', evidence: 'nothing was sent' } as const;
    const reason = { reason: 'service_unavailable' } as const;
    if (await this.book.move(withdrawal, 'created', 'failed', because, reason))
      this.logger.warn(`withdrawal ${id} was left before anything was sent: failed`);
  }
}
