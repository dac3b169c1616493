import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import { PASSWORD } from '../accounts.js';
import type { Answer, Client } from './client.js';

const STEP_MS = 30_000;

/** An authenticator app of a player. */
export class Authenticator {
  constructor(
    readonly secret: string,
    readonly recoveryCodes: string[],
  ) {}

  /** The code of this moment, or of some time steps later. */
  code(steps = 0): string {
    const timestamp = Date.now() + steps * STEP_MS;
    return new TOTP({ secret: this.secret }).generate({ timestamp });
  }

  /** A code of no time step near. */
  wrongCode(): string {
    const near = [-2, -1, 0, 1, 2].map((steps) => this.code(steps));
    return ['111111', '222222', '333333', '444444', '555555', '666666'].find(
      (code) => !near.includes(code),
    )!;
  }
}

/** Sets up an app with the code of the time step before, so that those of now and of the next are unused. */
export async function addAuthenticator(client: Client, token: string): Promise<Authenticator> {
  const { secret } = (await client.post('/api/account/totp', {}, { token })).body.data;
  const code = new Authenticator(secret, []).code(-1);
  const confirmed = await client.post('/api/account/totp/confirm', { code }, { token });
  expect(confirmed.status, confirmed.text).toBe(200);
  return new Authenticator(secret, confirmed.body.data.recovery_codes);
}

/** The ticket of a right password. */
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
