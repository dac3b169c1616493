import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import { PASSWORD } from '../accounts.js';
import type { Answer, Client } from './client.js';

const STEP_MS = 30_000;

export class Authenticator {
  constructor(
    readonly secret: string,
    readonly recoveryCodes: string[],
  ) {}

  /** Returns the current code, or a code `steps` time steps later. */
  code(steps = 0): string {
    const timestamp = Date.now() + steps * STEP_MS;
    return new TOTP({ secret: this.secret }).generate({ timestamp });
  }

  /** Returns a code that is not valid in any nearby time step. */
  wrongCode(): string {
    const near = [-2, -1, 0, 1, 2].map((steps) => this.code(steps));
    return ['111111', '222222', '333333', '444444', '555555', '666666'].find(
      (code) => !near.includes(code),
    )!;
  }
}

/** Sets up an app with the previous time step's code, so that the current and the next code are unused. */
export async function addAuthenticator(client: Client, token: string): Promise<Authenticator> {
  const { secret } = (await client.post('/api/account/totp', {}, { token })).body.data;
  const code = new Authenticator(secret, []).code(-1);
  const confirmed = await client.post('/api/account/totp/confirm', { code }, { token });
  expect(confirmed.status, confirmed.text).toBe(200);
  return new Authenticator(secret, confirmed.body.data.recovery_codes);
}

/** Returns the ticket for a correct password. */
export async function ticketFor(client: Client, account: string, more = {}): Promise<string> {
  const answer = await client.post('/api/login', { account, password: PASSWORD, ...more });
  expect(answer.body.error, answer.text).toBe('second_factor_required');
  return answer.body.ticket as string;
}

export function secondStep(
  client: Client,
  ticket: string,
  proof: object,
  request = {},
): Promise<Answer> {
  return client.post('/api/login/second', { ticket, ...proof }, request);
}
