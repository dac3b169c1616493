import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Settings } from '../../platform/config/settings.js';
import type { LoginLimit } from '../../platform/config/limits.schema.js';
import { Counters } from '../../platform/counters/counters.js';
import type { SharedCounter } from '../../platform/counters/shared-counter.js';
import { addressGroup, rateLimitGroups } from '../../platform/http/request/address.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LoginThrottled } from './accounts.errors.js';

const DAY = 24 * 60 * 60;
/** Wrong codes of an account, an hour. */
const SECOND_FACTOR_LIMIT = { failures: 10, window: 3600, lock: 3600 };
/** Wrong codes for `session/confirm`: a stolen token must not lock the owner's sign-in. */
const CONFIRMATION_LIMIT = { ...SECOND_FACTOR_LIMIT, failures: 5 };

export interface LoginAttempt {
  /** The key under which the account is counted: the player's id, if the player exists. */
  subject: string;
  /** The client's address. */
  address: string;
  /** This address recently logged the account in, so failures from other addresses do not lock it out. */
  spared: boolean;
  /** A code, after the right password: counted for the account and the address, and for the account. */
  isSecondStep?: boolean;
  /** A code for `session/confirm`. */
  isConfirmation?: boolean;
}

/** The counter key of a player. */
export const throttleSubject = (playerId: number) => `#${playerId}`;

export type LockScope = 'account_and_address' | 'address' | 'account' | 'second_factor';

interface ThrottleStep {
  scope: LockScope;
  key: string;
  limit: LoginLimit;
}

/** A count of failed logins, for display. */
export interface LoginLock {
  scope: LockScope;
  key: string;
  failures: number;
  /** The limit at which it is locked. */
  most: number;
  locked: boolean;
  /** When the lock, or the count, ends. */
  until: Date;
}

/** Failed logins per account and address, per address, and per account. */
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
   * Refuses a locked attempt, even with the right password. Right and wrong attempts go through the same counters in
   * the same steps, so timing reveals nothing, and of many parallel guesses only as many as the limit get an answer.
   * Returns what this attempt has locked. A right attempt clears the count of the account and the address, unless a
   * second step follows: otherwise the password would clear the wrong codes.
   */
  async admit(attempt: LoginAttempt, right: boolean, clears = right): Promise<LockScope[]> {
    const points = right ? 0 : 1;
    const passed: Array<ThrottleStep & { count: number }> = [];
    for (const step of this.steps(attempt)) {
      const { scope, key, limit } = step;
      const { count, secondsLeft, locked } = await this.failures[scope].add(
        key,
        points,
        limit.window,
      );
      if (count - points >= limit.failures) {
        // A refused attempt is not a failed one: subtract what it added so far.
        await Promise.all(passed.map((earlier) => this.undoCount(earlier, points)));
        throw new LoginThrottled(locked ? secondsLeft : Math.min(limit.lock, secondsLeft));
      }
      passed.push({ ...step, count });
    }
    if (!right) return this.lockExhausted(passed);
    if (clears) await this.clearFailures(passed[0]!);
    return [];
  }

  /** Ends the account's lock for one address. */
  async unlock(subject: string, address: string): Promise<void> {
    await this.failures.account_and_address.clear(pairKey(subject, address));
  }

  /** Every count that has begun and that an attempt would meet. */
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

  /** Ends the locks that an attempt would meet, and forgets how often it was locked before. */
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
    const { subject, address, spared, isSecondStep, isConfirmation } = attempt;
    const limits = this.settings.current.login_throttle;
    const pair: ThrottleStep = {
      scope: 'account_and_address',
      key: pairKey(subject, address),
      limit: limits.account_and_address,
    };
    if (isConfirmation) return [pair, confirmationStep(attempt), secondFactorStep(attempt)];
    if (isSecondStep) return [pair, secondFactorStep(attempt)];
    if (spared) return [pair];
    const { failures, window, lock } = limits.address;
    return [
      pair,
      ...rateLimitGroups(address).map(({ group, multiplier: times }) => ({
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

  /** Keeps the number of earlier locks: otherwise a guesser behind the player's address would start afresh. */
  private async clearFailures({
    scope,
    key,
    count,
  }: ThrottleStep & { count: number }): Promise<void> {
    if (count > 0) await this.failures[scope].clear(key);
  }

  private async lockExhausted(
    steps: Array<ThrottleStep & { count: number }>,
  ): Promise<LockScope[]> {
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
  return { scope: 'second_factor', key: `${subject} confirm`, limit: CONFIRMATION_LIMIT };
}

function secondFactorStep({ subject }: LoginAttempt): ThrottleStep {
  return { scope: 'second_factor', key: subject, limit: SECOND_FACTOR_LIMIT };
}

function pairKey(subject: string, address: string): string {
  return `${subject}@${addressGroup(address)}`;
}
