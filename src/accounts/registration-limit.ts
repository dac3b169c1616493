import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { type Limit, takeFromAll } from '../counters/limits.js';
import type { Tally } from '../counters/tally.js';
import { TooManyRequests } from '../http/errors/http.errors.js';
import { addressGroup } from '../http/request/address.js';

const DAY = 24 * 60 * 60;

/** Enforces `registration.per_address_day`, so that one client cannot take all places of a day. */
@Injectable()
export class RegistrationLimit {
  private readonly registered: Tally;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
  ) {
    this.registered = counters.tally('registration_address');
  }

  /** Runs a registration that counts for the address. One that fails counts for nothing. */
  async within<T>(address: string, register: () => Promise<T>): Promise<T> {
    const giveBack = await this.take(address);
    try {
      return await register();
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  private take(address: string): Promise<() => Promise<void>> {
    const most = this.settings.current.registration.per_address_day;
    const limits = most === null ? [] : limitsOf(address, most);
    return takeFromAll(
      limits.map((limit) => ({ ...limit, tally: this.registered, window: DAY })),
      (seconds) => new TooManyRequests(seconds),
    );
  }
}

/** An IPv6 client is its /56 here: many a player's line has one of his own. */
function limitsOf(address: string, most: number): Array<Pick<Limit, 'key' | 'most'>> {
  const [own, wide] = [addressGroup(address, 56), addressGroup(address, 48)];
  // Of an IPv4 address both are itself.
  return own === wide
    ? [{ key: own, most }]
    : [
        { key: own, most },
        { key: wide, most: 16 * most },
      ];
}
