import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { trimAccountName } from '../../platform/auth/account-name.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import type { LoginLimit } from '../../platform/config/settings.schema.js';
import { Counters, type SharedCounter } from '../../platform/counters/counters.js';
import { addressGroup, rateLimitGroups } from '../../platform/http/request/address.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LoginThrottled } from './accounts.errors.js';

const DAY = 24 * 60 * 60;
/** Limits an account's wrong codes per hour. */
const SECOND_FACTOR_LIMIT = { failures: 10, window: 3600, lock: 3600 };
/** Sets a lower limit for `session/confirm`, so that a stolen token cannot lock the owner out of signing in. */
const CONFIRMATION_LIMIT = { ...SECOND_FACTOR_LIMIT, failures: 5 };
/** Keys with this suffix count wrong codes for `session/confirm`. */
export const CONFIRMATION_KEY = ' confirm';

interface LoginAttempt {
  /** This is the account's key in the counters, which `throttleSubject` or `UnknownNameBuckets` returns. */
  subject: string;
  address: string;
  /**
   * This is true if the account was recently logged in to from this address. Failures elsewhere then do not block this
   * attempt.
   */
  spared: boolean;
  /**
   * This is true for a game server. It checks the tokens of all its players, so their failures must not lock its
   * address.
   */
  isGameServer?: boolean;
  /** This is true for a second factor after the correct password. */
  isSecondFactor?: boolean;
  /** This is true for a second factor for `session/confirm`. */
  isConfirmation?: boolean;
}

export const throttleSubject = (playerId: number) => `#${playerId}`;

type LockScope = 'account_and_address' | 'address' | 'account' | 'second_factor';

interface ThrottleStep {
  scope: LockScope;
  key: string;
  limit: LoginLimit;
}

type CountedStep = ThrottleStep & { count: number };

export interface LoginLock {
  scope: LockScope;
  key: string;
  failures: number;
  /** This many failures set the lock. */
  most: number;
  locked: boolean;
  /** The lock or the counting window ends at this time. */
  until: Date;
}

/**
 * Counts failed logins per account and address, per address, and per account, and failed second factors per account.
 * Locks out clients that guess.
 */
@Injectable()
export class LoginThrottle {
  private readonly failures: Record<LockScope, SharedCounter>;
  private readonly earlierLocks: SharedCounter;
  private readonly locks: Counter<'scope'>;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
    metrics: Metrics,
  ) {
    this.failures = {
      account_and_address: counters.create('login_pair'),
      address: counters.create('login_address'),
      account: counters.create('login_account'),
      second_factor: counters.create('login_second'),
    };
    this.earlierLocks = counters.create('login_locks');
    this.locks = metrics.counter(
      'gatehouse_login_locks_total',
      'Locks after failed logins: account_and_address, address, account, or second_factor after wrong codes',
      ['scope', Object.keys(this.failures)],
    );
  }

  /**
   * Rejects an attempt while a lock is in force, even with the correct password. Correct and wrong attempts go through
   * the same counters in the same order, so that timing reveals nothing. Of many parallel guesses, only as many as the
   * limit allows are evaluated. Returns the scopes that this attempt has locked. A correct attempt clears the counter
   * of its account and address, unless a second factor follows, because the password must not clear failed codes.
   */
  async admit(attempt: LoginAttempt, right: boolean, clears = right): Promise<LockScope[]> {
    const points = right ? 0 : 1;
    const passed: CountedStep[] = [];
    for (const step of this.steps(attempt)) {
      const { scope, key, limit } = step;
      const { count, secondsLeft, locked } = await this.failures[scope].add(
        key,
        points,
        limit.window,
      );
      if (count - points >= limit.failures) {
        // A rejected attempt does not count as failed, so the counts of the earlier steps are undone.
        await Promise.all(passed.map((earlier) => this.undoCount(earlier, points)));
        throw new LoginThrottled(locked ? secondsLeft : Math.min(limit.lock, secondsLeft));
      }
      passed.push({ ...step, count });
    }
    if (!right) return this.lockExhausted(passed);
    const pair = passed[0]!;
    // The number of earlier locks stays, so that repeated guessing from the player's own address leads to longer locks.
    if (clears && pair.count > 0) await this.failures[pair.scope].clear(pair.key);
    return [];
  }

  /** Ends the lock of an account for one address. */
  async unlock(subject: string, address: string): Promise<void> {
    await this.failures.account_and_address.clear(pairKey(subject, address));
  }

  async inspect(attempt: LoginAttempt): Promise<LoginLock[]> {
    const found = await Promise.all(
      this.allSteps(attempt).map(async ({ scope, key, limit }) => {
        const count = await this.failures[scope].find(key);
        if (!count || count.count <= 0) return [];
        const { failures: most } = limit;
        const until = new Date(Date.now() + count.secondsLeft * 1000);
        const failures = count.locked ? most : Math.min(count.count, most);
        return [{ scope, key, failures, most, locked: count.locked || failures >= most, until }];
      }),
    );
    return found.flat();
  }

  /** Ends the locks that apply to an attempt, and clears the number of earlier locks. */
  async release(attempt: LoginAttempt, scopes: LockScope[]): Promise<void> {
    for (const { scope, key } of this.allSteps(attempt)) {
      if (!scopes.includes(scope)) continue;
      await this.failures[scope].release(key);
      await this.earlierLocks.release(key);
    }
  }

  private allSteps(attempt: LoginAttempt): ThrottleStep[] {
    return [...this.steps(attempt), confirmationStep(attempt), secondFactorStep(attempt)];
  }

  private steps(attempt: LoginAttempt): ThrottleStep[] {
    const { subject, address, spared, isGameServer, isSecondFactor, isConfirmation } = attempt;
    const limits = this.settings.current.login_throttle;
    const pair: ThrottleStep = {
      scope: 'account_and_address',
      key: pairKey(subject, address),
      limit: limits.account_and_address,
    };
    if (isConfirmation) return [pair, confirmationStep(attempt), secondFactorStep(attempt)];
    if (isSecondFactor) return [pair, secondFactorStep(attempt)];
    if (spared) return [pair];
    const { failures, window, lock } = limits.address;
    return [
      pair,
      ...(isGameServer ? [] : rateLimitGroups(address)).map(({ group, multiplier: times }) => ({
        scope: 'address' as const,
        key: group,
        limit: { failures: failures * times, window, lock },
      })),
      { scope: 'account', key: subject, limit: limits.account },
    ];
  }

  private undoCount({ scope, key, limit }: ThrottleStep, points: number): Promise<void> {
    return this.failures[scope].undoAdd(key, points, limit.window);
  }

  private async lockExhausted(steps: CountedStep[]): Promise<LockScope[]> {
    const locked: LockScope[] = [];
    for (const { scope, key, limit, count } of steps) {
      // Exactly one attempt reaches the limit, so the lock is set once.
      if (count !== limit.failures) continue;
      const seconds =
        scope === 'account_and_address' ? await this.nextLockSeconds(key) : limit.lock;
      await this.failures[scope].lock(key, seconds);
      this.locks.inc({ scope });
      locked.push(scope);
    }
    return locked;
  }

  private async nextLockSeconds(key: string): Promise<number> {
    const { lock, max_lock } = this.settings.current.login_throttle.account_and_address;
    const { count } = await this.earlierLocks.add(key, 1, DAY);
    return Math.min(lock * 2 ** (count - 1), max_lock);
  }
}

function confirmationStep({ subject }: LoginAttempt): ThrottleStep {
  return {
    scope: 'second_factor',
    key: `${subject}${CONFIRMATION_KEY}`,
    limit: CONFIRMATION_LIMIT,
  };
}

function secondFactorStep({ subject }: LoginAttempt): ThrottleStep {
  return { scope: 'second_factor', key: subject, limit: SECOND_FACTOR_LIMIT };
}

function pairKey(subject: string, address: string): string {
  return `${subject}@${addressGroup(address)}`;
}

/**
 * Counts failed logins with unknown names in 16 384 buckets, so that invented names do not fill the memory. A bucket
 * cannot lock a player out, because failed logins of players are counted by id.
 *
 * The bucket is a keyed hash of the name. Like the lookup of players, the hash ignores case and trailing spaces.
 * Without a key, an attacker could fill a bucket and see from the lock whether another name in it belongs to a player.
 * Filling all buckets takes half a million failed logins an hour.
 */
@Injectable()
export class UnknownNameBuckets {
  private readonly key: Buffer;

  constructor({ JWT_SECRET }: Environment) {
    // All instances use the same key, because they share the counters.
    this.key = createHmac('sha256', JWT_SECRET).update('unknown names').digest();
  }

  bucketOf(account: string): string {
    const hash = createHmac('sha256', this.key)
      .update(trimAccountName(account).toLowerCase())
      .digest();
    return `?${hash.readUInt16BE(0) >> 2}`;
  }
}
