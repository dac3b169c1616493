import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import {
  consumeLimits,
  Counters,
  type Limit,
  type SharedCounter,
} from '../../platform/counters/counters.js';
import { addressGroup, rateLimitGroups } from '../../platform/http/request/address.js';
import { CodeThrottled } from './verify.errors.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

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

  /**
   * Returns the key under which e-mails to an e-mail address are counted. Each client address from which the account
   * was logged in to has its own quota, so that strangers and thieves cannot keep the owner from resetting the
   * password.
   */
  quotaOf(email: string, address: string, isKnownAddress: boolean): string {
    const mailbox = normalizeMailbox(email);
    return isKnownAddress ? `${mailbox} from ${addressGroup(address)}` : mailbox;
  }

  /** Counts an e-mail towards every limit, or throws and counts nothing. Returns a function that undoes the count. */
  reserve(quota: string, address: string): Promise<() => Promise<void>> {
    return consumeLimits(this.limits(quota, address), (seconds) => new CodeThrottled(seconds));
  }

  /** Starts the cooldown after a code was sent, so that a slow mail server does not shorten it. */
  async startCooldown(quota: string): Promise<void> {
    await this.cooldown.lock(quota, this.settings.current.verify.cooldown);
  }

  /** Returns how many codes the client has asked for within the hour. An IPv6 client counts as its /56. */
  async countOf(address: string): Promise<number> {
    return (await this.byAddress.find(addressGroup(address, 56)))?.count ?? 0;
  }

  private limits(quota: string, address: string): Limit[] {
    const { cooldown, per_hour, per_day, per_address_hour } = this.settings.current.verify;
    return [
      // These limits come first, so that a client over its limit does not affect the counters of e-mail addresses.
      ...rateLimitGroups(address).map(({ group, multiplier: times }) => ({
        counter: this.byAddress,
        key: group,
        max: per_address_hour * times,
        window: HOUR,
      })),
      { counter: this.cooldown, key: quota, max: 1, window: cooldown },
      { counter: this.hourly, key: quota, max: per_hour, window: HOUR },
      { counter: this.daily, key: quota, max: per_day, window: DAY },
    ];
  }
}

/**
 * Returns the counter key for an e-mail address. Many mail servers deliver `a.b+x@…` to `ab@…`, so without this rule
 * anyone could flood a mailbox by varying its address. All other code treats these addresses as different.
 */
export function normalizeMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const bare = local.replace(/\+.*$/, '').replaceAll('.', '');
  return `${bare || local}${email.slice(at)}`.toLowerCase();
}
