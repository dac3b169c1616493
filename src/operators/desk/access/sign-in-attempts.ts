import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { type Limit, consumeLimits } from '../../../platform/counters/limits.js';
import { Counters } from '../../../platform/counters/counters.js';
import type { SharedCounter } from '../../../platform/counters/shared-counter.js';
import { rateLimitGroups } from '../../../platform/http/request/address.js';
import { SignInThrottled } from './access.errors.js';

const MINUTE = 60;
/** Limits for one name from one address, and for one name from a known device. */
const NAME_LIMIT = { max: 5, window: 15 * MINUTE };
const NAME_ANYWHERE_LIMIT = { max: 30, window: 60 * MINUTE };
const ADDRESS_LIMIT = { max: 20, window: 10 * MINUTE };

interface Attempt {
  name: string;
  address: string;
  device: string | undefined;
  /** When the operator was last unlocked: earlier tries count under other keys. */
  since: number;
}

interface CountedAttempt {
  /** The answer to wrong credentials when a shared limit is used up; right ones are accepted. */
  throttled: SignInThrottled | undefined;
  /** Called after a successful try. */
  undo: () => Promise<void>;
  /** Whether the next try of this name from there is refused. */
  isLast: () => Promise<boolean>;
}

/**
 * How often somebody may try. Each try is counted before the password is checked, by the name as typed, whether or not
 * such an operator exists. Known devices are counted separately, so that strangers who share a tunnel's address cannot
 * lock operators out. For the same reason only the limit of the name at its address, or of the device, refuses right
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

  async count(attempt: Attempt): Promise<CountedAttempt> {
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
      throttled: isThrottled ? shared : undefined,
      undo: async () => {
        await Promise.all([undoOwn(), isThrottled || shared()]);
      },
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
    // Not by the typed text: it may be a password, and others can read Redis.
    const key = createHmac('sha256', this.environment.JWT_SECRET).update(what).digest('base64url');
    return { counter: this.counter, key, max, window };
  }
}
