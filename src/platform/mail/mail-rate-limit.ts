import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Settings } from '../config/settings.js';
import { Counters, type SharedCounter, consumeLimits, type Limit } from '../counters/counters.js';
import { Metrics } from '../metrics/metrics.js';
import { MailCapped, TooManyMails } from './mail.errors.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const MAX_WARNINGS_PER_HOUR = 30;

/**
 * Limits the service's e-mails per minute, because mail providers may treat a larger number as spam. A tenth is
 * reserved for warnings to owners, so that requests for codes cannot delay a warning. Each player has a limit for every
 * kind of warning, so that a single player cannot use up the shared limit.
 */
@Injectable()
export class MailRateLimit {
  private readonly logger = new Logger(MailRateLimit.name);
  private readonly counter: SharedCounter;
  private readonly byPlayer: SharedCounter;
  private readonly heldBack: Counter;
  private alertedAt = -Infinity;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
    metrics: Metrics,
  ) {
    this.counter = counters.create('mails');
    this.byPlayer = counters.create('player_mails');
    this.heldBack = metrics.counter(
      'gatehouse_mails_held_back_total',
      'Mails not sent because verify.per_minute_all was reached',
    );
  }

  /** Counts an e-mail, or throws `TooManyMails`. Returns a function that undoes the count. */
  consume(): Promise<() => Promise<void>> {
    return this.consumeOrAlert([this.perMinute('all')]);
  }

  /** Returns the number of routine e-mails in the current minute. */
  async countOfMinute(): Promise<number> {
    return (await this.counter.find('all'))?.count ?? 0;
  }

  /**
   * Counts a warning to an owner, or throws `TooManyMails` or `MailCapped`. The key names the player and the kind of
   * e-mail. The player's limit comes first, so that an e-mail above it does not use up the shared limit.
   */
  async consumeWarning(key: string): Promise<() => Promise<void>> {
    const player = { counter: this.byPlayer, key, max: MAX_WARNINGS_PER_HOUR, window: HOUR };
    try {
      return await this.consumeAll([player, this.perMinute('warnings')]);
    } catch (error) {
      if (!(error instanceof TooManyMails)) throw error;
      return this.consumeOrAlert([player, this.perMinute('all')]);
    }
  }

  private perMinute(key: 'all' | 'warnings'): Limit {
    const total = this.settings.current.verify.per_minute_all;
    // A total below ten has no full tenth, but one warning must still be possible.
    const max = key === 'warnings' ? Math.ceil(total / 10) : total - Math.floor(total / 10);
    return { counter: this.counter, key, max, window: MINUTE };
  }

  private consumeAll(limits: Limit[]): Promise<() => Promise<void>> {
    return consumeLimits(limits, (seconds, { counter }) =>
      counter === this.byPlayer ? new MailCapped() : new TooManyMails(seconds),
    );
  }

  private async consumeOrAlert(limits: Limit[]): Promise<() => Promise<void>> {
    try {
      return await this.consumeAll(limits);
    } catch (error) {
      if (error instanceof TooManyMails) this.alert();
      throw error;
    }
  }

  private alert(): void {
    this.heldBack.inc();
    if (performance.now() - this.alertedAt < MINUTE * 1000) return;
    this.alertedAt = performance.now();
    this.logger.error(
      `mails are held back: the service has reached its limit of ${this.settings.current.verify.per_minute_all} per minute (verify.per_minute_all)`,
    );
  }
}
