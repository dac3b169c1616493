import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecoveryCode } from '../../../src/features/second-factor/second-factor.entities.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { Authenticator, secondStep, ticketFor } from '../../support/api/authenticator.js';
import { type Answer, Client } from '../../support/api/client.js';
import { createPlayer } from '../../support/api/factories.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import { passkeyRequests } from '../../support/api/passkeys.js';
import { RELAXED } from '../../support/api/profile.js';
import { type Gatehouse, startGatehouse } from '../../support/servers/gatehouse-process.js';
import { type Redis, startRedis } from '../../support/servers/redis.js';
import { until } from '../../support/until.js';
import { PASSWORD } from '../../support/accounts.js';

const ROUNDS = 5;
const AT_ONCE = 8;
const WRONG_CODES = 10;

let redis: Redis;
let service: TestApp;
let instance: Gatehouse;
let clients: Client[];

beforeAll(async () => {
  redis = await startRedis();
  service = await startApp({ env: { REDIS_URL: redis.url }, settings: RELAXED });
  const { app, settingsFile, client } = service;
  const { DATABASE_URL, JWT_SECRET, PASSWORD_KEY, GM_SECRET, FRONTEND_URL } = app.get(Environment);
  const secrets = { JWT_SECRET, PASSWORD_KEY, GM_SECRET };
  instance = await startGatehouse({
    DATABASE_URL,
    REDIS_URL: redis.url,
    SETTINGS_FILE: settingsFile,
    FRONTEND_URL,
    ...secrets,
  });
  clients = [client, new Client(instance.url)];
  // An instance is ready before it has connected to Redis.
  for (const each of clients)
    await until(async () => (await each.get('/api/health/ready')).body.data?.redis === 'up');
});
afterAll(async () => {
  await instance.kill();
  await service.stop();
  await redis.stop();
});

const clientOf = (index: number) => clients[index % 2]!;
/** Sends each request from a different address so that failures do not add up. */
const atOnce = (send: (index: number, from: string) => Promise<Answer>, requests = AT_ONCE) =>
  allAtOnce(times(requests, (index) => () => send(index, `198.51.100.${index}`)));
const succeeded = (answers: Answer[]) => answers.filter(({ status }) => status === 200);
const errorsOf = (answers: Answer[]) => answers.flatMap(({ body }) => body.error ?? []);
const unusedCodes = async (playerId: number) => {
  const codes = await service.database.manager.findBy(RecoveryCode, { playerId });
  return codes.filter(({ usedAt }) => usedAt === null).length;
};

/** Creates a player with an app whose code for the next time step is unused. */
async function withApp() {
  const player = await createPlayer(service);
  const form = { account: player.account, password: PASSWORD };
  const { token } = (await service.client.post('/api/login', form)).body.data;
  const { secret } = (await service.client.post('/api/account/totp', {}, { token })).body.data;
  const code = new Authenticator(secret, []).code();
  const confirmed = await atOnce((index) =>
    clientOf(index).post('/api/account/totp/confirm', { code }, { token }),
  );
  const [first, ...others] = succeeded(confirmed);
  expect(others).toEqual([]);
  return { player, app: new Authenticator(secret, first!.body.data.recovery_codes) };
}

/** Logs in sequentially because a busy machine rejects some parallel logins with 503. */
async function ticketsFor(account: string): Promise<string[]> {
  const tickets: string[] = [];
  while (tickets.length < AT_ONCE) tickets.push(await ticketFor(clientOf(tickets.length), account));
  return tickets;
}

describe('Of many parallel requests at two instances', () => {
  it("only one signs in with a time step's code", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { player, app } = await withApp();
      const code = app.code(1);
      const tickets = await ticketsFor(player.account);
      const answers = await atOnce((index, from) =>
        secondStep(clientOf(index), tickets[index]!, { code }, { from }),
      );
      expect(succeeded(answers), `round ${round}`).toHaveLength(1);
      expect(new Set(errorsOf(answers))).toEqual(new Set(['second_factor_invalid']));
    }
  });

  it('only one signs in with a recovery code', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { player, app } = await withApp();
      const [recovery_code] = app.recoveryCodes;
      const tickets = await ticketsFor(player.account);
      const answers = await atOnce((index, from) =>
        secondStep(clientOf(index), tickets[index]!, { recovery_code }, { from }),
      );
      expect(succeeded(answers), `round ${round}`).toHaveLength(1);
      expect(await unusedCodes(player.id)).toBe(9);
    }
  });

  it('only one signs in with a ticket, and uses up one code', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { player, app } = await withApp();
      const ticket = await ticketFor(clientOf(round), player.account);
      const answers = await atOnce((index, from) =>
        secondStep(clientOf(index), ticket, { recovery_code: app.recoveryCodes[index] }, { from }),
      );
      expect(succeeded(answers), `round ${round}`).toHaveLength(1);
      expect(await unusedCodes(player.id)).toBe(9);
    }
  });

  it("only one signs in with a passkey's response to a challenge", async () => {
    const { addDevice, options } = passkeyRequests(() => service);
    for (let round = 0; round < ROUNDS; round++) {
      const { account } = await createPlayer(service);
      const login = await service.client.post('/api/login', { account, password: PASSWORD });
      const device = await addDevice(login.body.data.token);
      // The device keeps no signature count, so only the challenge distinguishes the requests.
      const response = device.get(await options('login/passkey'), { counter: 0 });
      const answers = await atOnce((index, from) =>
        clientOf(index).post('/api/login/passkey', { response }, { from }),
      );
      expect(succeeded(answers), `round ${round}`).toHaveLength(1);
      expect(new Set(errorsOf(answers))).toEqual(new Set(['second_factor_invalid']));
    }
  });

  it('ten learn that their code is wrong, and then even a correct code is rejected', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { player, app } = await withApp();
      const ticket = await ticketFor(clientOf(round), player.account);
      const code = app.wrongCode();
      const answers = await atOnce(
        (index, from) => secondStep(clientOf(index), ticket, { code }, { from }),
        3 * WRONG_CODES,
      );
      const wrong = errorsOf(answers).filter((error) => error === 'second_factor_invalid');
      expect(wrong, `round ${round}`).toHaveLength(WRONG_CODES);
      const throttled = errorsOf(answers).filter((error) => error === 'login_throttled');
      expect(throttled).toHaveLength(2 * WRONG_CODES);
      const [recovery_code] = app.recoveryCodes;
      for (const proof of [{ code: app.code(1) }, { recovery_code }]) {
        const from = '203.0.113.200';
        const right = await secondStep(clientOf(round), ticket, proof, { from });
        expect(right.body.error).toBe('login_throttled');
      }
      expect(await unusedCodes(player.id)).toBe(10);
    }
  });
});
