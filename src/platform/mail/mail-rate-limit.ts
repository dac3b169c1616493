import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { consumeLimits } from '../counters/limits.js';
import type { SharedCounter } from '../counters/shared-counter.js';
import { Metrics } from '../metrics/metrics.js';
import { TooManyMails } from './mail.errors.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** To one player in an hour. */
const MAX_NOTICES = 30;

/** The service's mails per minute: beyond this, mail providers may treat all of them as spam. */
@Injectable()
export class MailRateLimit {
  private readonly logger = new Logger(MailRateLimit.name);
  private readonly counter: SharedCounter;
  private readonly notices: SharedCounter;
  private readonly heldBack: Counter;
  private alertedAt = -Infinity;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
    { registry }: Metrics,
  ) {
    this.counter = counters.create('mails');
    this.notices = counters.create('notices');
    this.heldBack = new Counter({
      name: 'gatehouse_mails_held_back_total',
      help: 'Mails not sent because verify.per_minute_all was reached',
      registers: [registry],
    });
  }

  /** Counts a mail, or throws `TooManyMails`. Returns a function that undoes the count. */
  consume(): Promise<() => Promise<void>> {
    const max = this.settings.current.verify.per_minute_all;
    return consumeLimits(
      [{ counter: this.counter, key: 'all', max, window: MINUTE }],
      (seconds) => {
        this.alert(max);
        return new TooManyMails(seconds);
      },
    );
  }

  /** False for a player who got many: nobody may use up the mails of all by changing a password to and fro. */
  async admitNotice(playerId: number): Promise<boolean> {
    return (await this.notices.add(String(playerId), 1, HOUR)).count <= MAX_NOTICES;
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
