import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import {
  consumeLimits,
  Counters,
  type Limit,
  type SharedCounter,
} from '../../../platform/counters/counters.js';
import { rateLimitGroups } from '../../../platform/http/request/address.js';
import { SignInThrottled } from './access.errors.js';

const MINUTE = 60;
/** Limits the attempts for a name from one address, or from one known device. */
const NAME_LIMIT = { max: 5, window: 15 * MINUTE };
const NAME_ANYWHERE_LIMIT = { max: 30, window: 60 * MINUTE };
const ADDRESS_LIMIT = { max: 20, window: 10 * MINUTE };

interface Attempt {
  name: string;
  address: string;
  device: string | undefined;
  /** The operator was last unlocked at this time. Earlier attempts are counted under other keys. */
  since: number;
}

/**
 * Limits sign-in attempts. Each attempt is counted before the password check, under the name as typed, even if no such
 * operator exists. Known devices have separate limits, so that strangers who share a tunnel's address cannot lock
 * operators out. For the same reason, only the limit for a name at an address, or for a device, rejects correct
 * credentials.
 */
@Injectable()
export class SignInAttempts {
  private readonly counter: SharedCounter;

  constructor(
    private readonly environment: Environment,
    counters: Counters,
  ) {
    this.counter = counters.create('desk_sign_in');
  }

  async count(attempt: Attempt) {
    const { name, address, device, since } = attempt;
    const source = device ? `device ${device}` : `${name} at ${address}`;
    const own = this.limit(NAME_LIMIT, `${source} since ${since}`);
    const createError = (seconds: number) => new SignInThrottled(seconds);
    const undoOwn = await consumeLimits([own], createError);
    const shared = await consumeLimits(device ? [] : this.sharedLimits(attempt), createError).catch(
      (error: unknown) => {
        if (error instanceof SignInThrottled) return error;
        throw error;
      },
    );
    const isThrottled = shared instanceof SignInThrottled;
    return {
      /** Replaces the error for wrong credentials if a shared limit is used up. Correct credentials still work. */
      throttled: isThrottled ? shared : undefined,
      /** Takes the attempt out of the counts after a successful sign-in. */
      undo: async () => {
        await Promise.all([undoOwn(), isThrottled || shared()]);
      },
      /** Returns whether the limit for this name and source will reject the next attempt. */
      isLast: async () => ((await this.counter.find(own.key))?.count ?? 0) >= own.max,
    };
  }

  private sharedLimits({ name, address, since }: Attempt): Limit[] {
    const addresses = rateLimitGroups(address).map(({ group, multiplier }) =>
      this.limit({ ...ADDRESS_LIMIT, max: ADDRESS_LIMIT.max * multiplier }, group),
    );
    return [...addresses, this.limit(NAME_ANYWHERE_LIMIT, `${name} since ${since}`)];
  }

  private limit({ max, window }: { max: number; window: number }, what: string): Limit {
    // The key is hashed, because the typed name may be a password and others can read Redis.
    const key = createHmac('sha256', this.environment.JWT_SECRET).update(what).digest('base64url');
    return { counter: this.counter, key, max, window };
  }
}
