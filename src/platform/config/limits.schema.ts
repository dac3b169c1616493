import 'reflect-metadata';
import { NestedSettings, AllowNull, IsIntBetween } from './setting.decorator.js';

// Node's timers, and with them the counters in memory, last 24 days at most.
const LONGEST_COUNT = 14 * 24 * 60 * 60;

export class RateLimitSettings {
  /** Requests per minute from one address. `game_server_ips` are exempt. */
  @IsIntBetween(1) per_minute = 300;
}

export class LoginLimit {
  /** Failed logins that start a lock. */
  @IsIntBetween(1) failures: number;
  /** Seconds within which these failures count. */
  @IsIntBetween(1, LONGEST_COUNT) window: number;
  /** Seconds that the lock lasts. */
  @IsIntBetween(1, LONGEST_COUNT) lock: number;
}

export class DoublingLoginLimit extends LoginLimit {
  /** The lock doubles with each further lock, up to this many seconds. */
  @IsIntBetween(1, LONGEST_COUNT) max_lock: number;
}

export class LoginThrottleSettings {
  /** Failed logins to one account from one address. */
  @NestedSettings(() => DoublingLoginLimit)
  account_and_address: DoublingLoginLimit = { failures: 5, window: 300, lock: 60, max_lock: 900 };

  /** Failed logins from one address. */
  @NestedSettings(() => LoginLimit) address: LoginLimit = { failures: 30, window: 600, lock: 600 };

  /** Failed logins to one account. This lock spares addresses that logged in within 30 days. */
  @NestedSettings(() => LoginLimit) account: LoginLimit = { failures: 30, window: 3600, lock: 900 };
}

export class VerifySettings {
  /** Seconds between two codes to one mailbox. */
  @IsIntBetween(1, LONGEST_COUNT) cooldown = 60;
  /** Codes per hour to one mailbox. */
  @IsIntBetween(1) per_hour = 5;
  /** Codes per day to one mailbox. */
  @IsIntBetween(1) per_day = 10;
  /** Codes per hour requested from one address. */
  @IsIntBetween(1) per_address_hour = 20;
  /** Mails per minute of the whole service, of every kind. */
  @IsIntBetween(1) per_minute_all = 600;
}

export class RegistrationSettings {
  /** Accounts that one address may register within 24 hours; an IPv6 client counts as its /56. null: no limit. */
  @AllowNull() @IsIntBetween(1) per_address_day: number | null = 100;
}
