import { setMaxListeners } from 'node:events';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import {
  isBeforeTheFirstConnection,
  isDatabaseUnavailable,
} from '../../database/database-errors.js';
import { UnknownAlarm } from './unknown-alarm.js';
import { UnknownInquiry } from './unknown-inquiry.js';
import { WithdrawalBook } from '../record/withdrawal-book.js';
import { Withdrawal } from '../record/withdrawal.entity.js';

const EVERY_MS = 30_000;
const ABANDONED_MS = 30_000;
const MOST_AT_ONCE = 500;

/** Finds what a dying process left behind. Runs on every instance; each step is won by one of them. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private readonly end = new AbortController();

  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly book: WithdrawalBook,
    private readonly inquiry: UnknownInquiry,
    private readonly alarm: UnknownAlarm,
  ) {
    // One call for each zone listens.
    setMaxListeners(0, this.end.signal);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
    void this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.end.abort();
    await this.running;
  }

  /** One round; a second call meanwhile waits for the same. */
  sweep(): Promise<void> {
    this.running ??= this.round()
      .catch((error: Error) => {
        const { dataSource } = this.withdrawals.manager;
        if (isDatabaseUnavailable(error) || isBeforeTheFirstConnection(error, dataSource))
          this.logger.warn(`the sweep of withdrawals has to wait: ${error.message}`);
        else this.logger.error(error);
      })
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private async round(): Promise<void> {
    await this.sweepSending();
    await this.sweepCreated();
    await this.book.noteEdits();
    await this.inquiry.askForAll(this.end.signal);
    await this.alarm.look();
  }

  private async sweepSending(): Promise<void> {
    const before = LessThan(new Date(Date.now() - ABANDONED_MS));
    const abandoned = await this.abandoned({ status: 'sending', sentAt: before });
    const because = { cause: 'sweeper', evidence: 'nobody wrote down an outcome' } as const;
    for (const { id } of abandoned)
      if (await this.book.move(id, 'sending', 'unknown', because))
        this.logger.error(`withdrawal ${id} was left in sending: its outcome is unknown`);
  }

  private async sweepCreated(): Promise<void> {
    const before = LessThan(new Date(Date.now() - ABANDONED_MS));
    const abandoned = await this.abandoned({ status: 'created', createdAt: before });
    const because = { cause: 'sweeper', evidence: 'nothing was sent' } as const;
    const reason = { reason: 'service_unavailable' } as const;
    for (const { id } of abandoned)
      if (await this.book.move(id, 'created', 'failed', because, reason))
        this.logger.warn(`withdrawal ${id} was left before anything was sent: failed`);
  }

  private abandoned(where: Parameters<Repository<Withdrawal>['findBy']>[0]): Promise<Withdrawal[]> {
    return this.withdrawals.find({ where, order: { id: 'ASC' }, take: MOST_AT_ONCE });
  }
}
