import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { takeFromAll } from '../counters/limits.js';
import type { Tally } from '../counters/tally.js';
import { Metrics } from '../metrics/metrics.js';
import { TooManyMails } from './mail.errors.js';

const MINUTE = 60;

/** The mails a minute of the whole service: beyond it, mail providers may take all of them for spam. */
@Injectable()
export class MailCeiling {
  private readonly logger = new Logger(MailCeiling.name);
  private readonly mails: Tally;
  private readonly heldBack: Counter;
  private toldAt = -Infinity;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
    { registry }: Metrics,
  ) {
    this.mails = counters.tally('mails');
    this.heldBack = new Counter({
      name: 'gatehouse_mails_held_back_total',
      help: 'Mails not sent because verify.per_minute_all was reached',
      registers: [registry],
    });
  }

  /** Counts a mail, or throws `TooManyMails`. Gives what takes it back. */
  take(): Promise<() => Promise<void>> {
    const most = this.settings.current.verify.per_minute_all;
    return takeFromAll([{ tally: this.mails, key: 'all', most, window: MINUTE }], (seconds) => {
      this.raiseAlarm(most);
      return new TooManyMails(seconds);
    });
  }

  private raiseAlarm(most: number): void {
    this.heldBack.inc();
    if (performance.now() - this.toldAt < MINUTE * 1000) return;
    this.toldAt = performance.now();
    this.logger.error(
      `mails are held back: ${most} a minute, the limit of the whole service (verify.per_minute_all), are reached`,
    );
  }
}
