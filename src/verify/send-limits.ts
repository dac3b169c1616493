import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import type { Tally } from '../counters/tally.js';
import { CodeThrottled } from './verify.errors.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

interface Limit {
  tally: Tally;
  key: string;
  most: number;
  window: number;
}

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
  async take(email: string, address: string): Promise<() => Promise<void>> {
    const taken: Limit[] = [];
    const giveBack = async () => {
      try {
        await Promise.all(taken.map(({ tally, key, window }) => tally.takeBack(key, 1, window)));
      } catch (error) {
        // The caller has an error of its own to tell; a count too many ends with its window.
        this.logger.warn(`a send was not taken back from its limits: ${(error as Error).message}`);
      }
    };
    for (const limit of this.limits(email, address)) {
      const { count, secondsLeft } = await limit.tally.add(limit.key, 1, limit.window);
      taken.push(limit);
      if (count <= limit.most) continue;
      await giveBack();
      throw new CodeThrottled(secondsLeft);
    }
    return giveBack;
  }

  /** A code was sent now: the next has to wait from here, however long the mail server took. */
  async startCooldown(email: string): Promise<void> {
    try {
      await this.cooldown.lock(email, this.settings.current.verify.cooldown);
    } catch (error) {
      // It has been running since the code was asked for; the code is in the mailbox and good.
      this.logger.warn(`a cooldown was not started anew: ${(error as Error).message}`);
    }
  }

  private limits(email: string, address: string): Limit[] {
    const { cooldown, per_hour, per_day, per_address_hour } = this.settings.current.verify;
    return [
      // First: an address that is out of sends leaves nothing behind for all the mailboxes it names.
      { tally: this.ofAddress, key: address, most: per_address_hour, window: HOUR },
      { tally: this.cooldown, key: email, most: 1, window: cooldown },
      { tally: this.ofHour, key: email, most: per_hour, window: HOUR },
      { tally: this.ofDay, key: email, most: per_day, window: DAY },
    ];
  }
}
