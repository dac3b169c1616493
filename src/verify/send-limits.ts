import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { type Limit, takeFromAll } from '../counters/limits.js';
import type { Tally } from '../counters/tally.js';
import { countedGroups } from '../http/request/address.js';
import { countedMailbox } from './counted-mailbox.js';
import { CodeThrottled } from './verify.errors.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** How often codes may be sent, to a mailbox and at the wish of an address. */
@Injectable()
export class SendLimits {
  private readonly logger = new Logger(SendLimits.name);
  private readonly cooldown: Tally;
  private readonly ofHour: Tally;
  private readonly ofDay: Tally;
  private readonly ofAddress: Tally;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
  ) {
    this.cooldown = counters.tally('code_cooldown');
    this.ofHour = counters.tally('code_hour');
    this.ofDay = counters.tally('code_day');
    this.ofAddress = counters.tally('code_address');
  }

  /** Counts a send under every limit, or under none and throws. Gives what takes it back. */
  take(email: string, address: string): Promise<() => Promise<void>> {
    return takeFromAll(this.limits(email, address), (seconds) => new CodeThrottled(seconds));
  }

  /** A code was sent now: the next has to wait from here, however long the mail server took. */
  async startCooldown(email: string): Promise<void> {
    try {
      await this.cooldown.lock(countedMailbox(email), this.settings.current.verify.cooldown);
    } catch (error) {
      // It has been running since the code was asked for; the code is in the mailbox and good.
      this.logger.warn(`a cooldown was not started anew: ${(error as Error).message}`);
    }
  }

  private limits(email: string, address: string): Limit[] {
    const { cooldown, per_hour, per_day, per_address_hour } = this.settings.current.verify;
    const mailbox = countedMailbox(email);
    return [
      // First: an address that is out of sends leaves nothing behind for all the mailboxes it names.
      ...countedGroups(address).map(({ group, times }) => ({
        tally: this.ofAddress,
        key: group,
        most: per_address_hour * times,
        window: HOUR,
      })),
      { tally: this.cooldown, key: mailbox, most: 1, window: cooldown },
      { tally: this.ofHour, key: mailbox, most: per_hour, window: HOUR },
      { tally: this.ofDay, key: mailbox, most: per_day, window: DAY },
    ];
  }
}
