import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Counters } from '../../platform/counters/counters.js';
import { type Limit, consumeLimits } from '../../platform/counters/limits.js';
import type { SharedCounter } from '../../platform/counters/shared-counter.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { TooManyRequests } from '../../platform/http/errors/http.errors.js';
import { addressGroup } from '../../platform/http/request/address.js';

const DAY = 24 * 60 * 60;

/** Enforces `registration.per_address_day`, so that one client cannot take all places of a day. */
@Injectable()
export class RegistrationLimit {
  private readonly registered: SharedCounter;

  constructor(
    private readonly settings: Settings,
    private readonly rowQueue: RowQueue,
    counters: Counters,
  ) {
    this.registered = counters.create('registration_address');
  }

  /** Runs a registration that counts for the address. One that fails counts for nothing. */
  async run<T>(address: string, register: () => Promise<T>): Promise<T> {
    const undo = await this.reserve(address);
    try {
      // Each registration increments the counter of the day, a single row.
      return await this.rowQueue.run('registration day', register);
    } catch (error) {
      await undo();
      throw error;
    }
  }

  private reserve(address: string): Promise<() => Promise<void>> {
    const most = this.settings.current.registration.per_address_day;
    const limits = most === null ? [] : limitsOf(address, most);
    return consumeLimits(
      limits.map((limit) => ({ ...limit, counter: this.registered, window: DAY })),
      (seconds) => new TooManyRequests(seconds),
    );
  }
}

/** An IPv6 client counts as its /56 here: many providers give each customer one. */
function limitsOf(address: string, most: number): Array<Pick<Limit, 'key' | 'max'>> {
  const [own, wide] = [addressGroup(address, 56), addressGroup(address, 48)];
  // For an IPv4 address both are the address itself.
  return own === wide
    ? [{ key: own, max: most }]
    : [
        { key: own, max: most },
        { key: wide, max: 16 * most },
      ];
}
