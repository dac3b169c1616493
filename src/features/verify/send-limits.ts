import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Counters } from '../../platform/counters/counters.js';
import { type Limit, consumeLimits } from '../../platform/counters/limits.js';
import type { SharedCounter } from '../../platform/counters/shared-counter.js';
import { rateLimitGroups } from '../../platform/http/request/address.js';
import { normalizeMailbox } from './normalize-mailbox.js';
import { CodeThrottled } from './verify.errors.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** How often codes may be sent, to a mailbox and at the request of an address. */
@Injectable()
export class SendLimits {
  private readonly cooldown: SharedCounter;
  private readonly hourly: SharedCounter;
  private readonly daily: SharedCounter;
  private readonly byAddress: SharedCounter;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
  ) {
    this.cooldown = counters.create('code_cooldown');
    this.hourly = counters.create('code_hour');
    this.daily = counters.create('code_day');
    this.byAddress = counters.create('code_address');
  }

  /** Counts a send under every limit, or under none and throws. Returns a function that undoes the count. */
  reserve(email: string, address: string): Promise<() => Promise<void>> {
    return consumeLimits(this.limits(email, address), (seconds) => new CodeThrottled(seconds));
  }

  /** A code was sent now: the cooldown starts here, however long the mail server took. */
  async startCooldown(email: string): Promise<void> {
    await this.cooldown.lock(normalizeMailbox(email), this.settings.current.verify.cooldown);
  }

  private limits(email: string, address: string): Limit[] {
    const { cooldown, per_hour, per_day, per_address_hour } = this.settings.current.verify;
    const mailbox = normalizeMailbox(email);
    return [
      // Checked first: an address without sends left must not affect the counts of the mailboxes it names.
      ...rateLimitGroups(address).map(({ group, multiplier: times }) => ({
        counter: this.byAddress,
        key: group,
        max: per_address_hour * times,
        window: HOUR,
      })),
      { counter: this.cooldown, key: mailbox, max: 1, window: cooldown },
      { counter: this.hourly, key: mailbox, max: per_hour, window: HOUR },
      { counter: this.daily, key: mailbox, max: per_day, window: DAY },
    ];
  }
}
