import { expect } from 'vitest';
import { LoginThrottled } from '../../../src/features/accounts/accounts.errors.js';
import { LoginThrottle } from '../../../src/features/accounts/login-throttle.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { DEFAULT_SETTINGS } from '../../../src/platform/config/settings.schema.js';
import type { Settings } from '../../../src/platform/config/settings.js';
import { Counters } from '../../../src/platform/counters/counters.js';
import { RedisConnection } from '../../../src/platform/counters/redis-connection.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { Client } from './client.js';
import type { Gatehouse } from '../servers/gatehouse-process.js';

/** After this many failed logins from one address, an account is locked for a minute. */
export const LIMIT = 5;

interface Instance {
  /** Returns the state of Redis in `GET /api/health/ready`. */
  redis(): Promise<string>;
  /** Returns whether the password was checked; only then does the response reveal that it is wrong. */
  guess(account: string, address: string): Promise<boolean>;
}

type ThrottledInstance = Instance & {
  /** Logs in with the correct password, which clears the counters. */
  succeed(account: string, address: string): Promise<void>;
  stop(): void;
};

/** Guesses over HTTP at an instance that runs in its own process. */
export function guessOverHttp({ url }: Gatehouse): Instance {
  const client = new Client(url);
  return {
    redis: async () => (await client.get('/api/health/ready')).body.data?.redis as string,
    guess: async (account, from) => {
      const body = { account, password: 'a wrong guess' };
      const answer = await client.post('/api/login', body, { from });
      if (answer.body.error === 'bad_credentials') return true;
      expect(answer.body.error).toBe('login_throttled');
      return false;
    },
  };
}

/** Returns the login throttle of an instance in this process with its own connection to Redis. */
export function createThrottledInstance(env: Partial<Environment>): ThrottledInstance {
  const metrics = new Metrics();
  const connection = new RedisConnection(Object.assign(new Environment(), env), metrics);
  const settings = { current: DEFAULT_SETTINGS } as Settings;
  const throttle = new LoginThrottle(settings, new Counters(connection), metrics);
  return {
    redis: async () => connection.state,
    guess: async (subject, address) => {
      try {
        await throttle.admit({ subject, address, spared: false }, false);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(LoginThrottled);
        return false;
      }
    },
    succeed: async (subject, address) => {
      await throttle.admit({ subject, address, spared: false }, true);
    },
    stop: () => connection.onApplicationShutdown(),
  };
}

/** Guesses passwords at instances that share their counters. */
export class PasswordGuesser {
  private readonly addresses = new Map<string, string>();

  constructor(private readonly instances: Instance[]) {}

  states(): Promise<string[]> {
    return Promise.all(this.instances.map((instance) => instance.redis()));
  }

  async all(state: 'up' | 'down'): Promise<boolean> {
    return (await this.states()).every((found) => found === state);
  }

  guess(instance: number, account: string): Promise<boolean> {
    // Each account gets its own address because an address is locked after 30 failures.
    const address = this.addresses.get(account) ?? `198.51.100.${this.addresses.size + 1}`;
    this.addresses.set(account, address);
    return this.instances[instance]!.guess(account, address);
  }

  /** Guesses at the instances in turn and returns how many guesses were checked. */
  async guesses(account: string, attempts: number): Promise<number> {
    let letIn = 0;
    for (let attempt = 0; attempt < attempts; attempt++)
      if (await this.guess(attempt % this.instances.length, account)) letIn++;
    return letIn;
  }
}
