import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { consumeLimits, type Limit } from '../counters/limits.js';
import type { SharedCounter } from '../counters/shared-counter.js';
import { Metrics } from '../metrics/metrics.js';
import { MailCapped, TooManyMails } from './mail.errors.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Of the kinds that `isCapped`, to one player in an hour. */
const MAX_CAPPED = 30;

/**
 * The service's mails per minute: beyond this, mail providers may treat all of them as spam. Kinds that a player can cause
 * without end also have a limit for each player, so that nobody uses up everybody's mails.
 */
@Injectable()
export class MailRateLimit {
  private readonly logger = new Logger(MailRateLimit.name);
  private readonly counter: SharedCounter;
  private readonly capped: SharedCounter;
  private readonly heldBack: Counter;
  private alertedAt = -Infinity;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
    metrics: Metrics,
  ) {
    this.counter = counters.create('mails');
    this.capped = counters.create('capped_mails');
    this.heldBack = metrics.counter(
      'gatehouse_mails_held_back_total',
      'Mails not sent because verify.per_minute_all was reached',
    );
  }

  /** Counts a mail, or throws `TooManyMails` or `MailCapped`. Returns a function that undoes the count. */
  consume(capKey?: string): Promise<() => Promise<void>> {
    const max = this.settings.current.verify.per_minute_all;
    const limits: Limit[] = [{ counter: this.counter, key: 'all', max, window: MINUTE }];
    if (capKey) limits.push({ counter: this.capped, key: capKey, max: MAX_CAPPED, window: HOUR });
    return consumeLimits(limits, (seconds, { counter }) => {
      if (counter === this.capped) return new MailCapped();
      this.alert(max);
      return new TooManyMails(seconds);
    });
  }

  private alert(max: number): void {
    this.heldBack.inc();
    if (performance.now() - this.alertedAt < MINUTE * 1000) return;
    this.alertedAt = performance.now();
    this.logger.error(
      `mails are held back: ${max} a minute, the limit of the whole service (verify.per_minute_all), are reached`,
    );
  }
}
