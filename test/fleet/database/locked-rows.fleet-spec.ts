import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { PASSWORD } from '../../support/accounts.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import { register, registrationForm } from '../../support/api/registration.js';
import { type FundedRole, Withdrawals } from '../../support/api/withdrawals.js';
import { until } from '../../support/until.js';

/** More than there are connections. */
const MANY = 15;
/** A request that waits for a connection takes 2 s. Others take some 10 ms. */
const PROMPT_MS = 1000;

let w: Withdrawals;
/** An operator's SQL client. */
let operator: Connection;

beforeAll(async () => void (w = await Withdrawals.start()));
afterAll(() => w.stop());
beforeEach(async () => {
  operator = await createConnection(w.service.app.get(Environment).DATABASE_URL!);
});
afterEach(() => operator.destroy());

/** Waits until statements of the service wait for the operator. */
async function untilLocked(): Promise<void> {
  const running = `SELECT id FROM information_schema.processlist
    WHERE db = DATABASE() AND command = 'Query' AND id <> CONNECTION_ID()`;
  await until(async () => {
    const [rows] = await operator.query(running);
    return (rows as unknown[]).length > 0;
  });
}

async function enter(player: Parameters<typeof tokenOf>[1]): Promise<number> {
  const token = tokenOf(w.service, player);
  const body = { server_id: w.server };
  return (await w.service.client.post('/api/enter_game', body, { token })).status;
}

/** What other players do meanwhile, one request after the other. */
async function expectServiceForOthers(): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < 11; n++) {
    const player = await createPlayer(w.service);
    const started = performance.now();
    const body = { account: player.account, password: PASSWORD };
    const login = await w.service.client.post('/api/login', body);
    const entered = await enter(player);
    times.push(performance.now() - started);
    expect([login.status, entered]).toEqual([200, 200]);
  }
  expect(times.toSorted((one, other) => one - other)[5]).toBeLessThan(PROMPT_MS);
}

/** Ends the operator's transaction; the requests that waited are answered one way or the other. */
async function unlock(waiting: Promise<number[]>): Promise<void> {
  await operator.query('ROLLBACK');
  for (const status of await waiting) expect([200, 409, 503]).toContain(status);
}

describe('A locked row', () => {
  it('of a server that an operator has edited delays only withdrawals there', async () => {
    const roles: FundedRole[] = [];
    for (let n = 0; n < MANY; n++) roles.push(await w.createFundedRole(1000));
    await operator.beginTransaction();
    await operator.query(`UPDATE server SET sort = sort + 1 WHERE id = ?`, [w.server]);
    const waiting = inParallel(
      async (index) => (await w.withdraw(roles[index]!, 100)).status,
      MANY,
    );
    await expectServiceForOthers();
    await unlock(waiting);
  });

  it('of a player delays only that player', async () => {
    const player = await createPlayer(w.service);
    await operator.beginTransaction();
    await operator.query('SELECT id FROM player WHERE id = ? FOR UPDATE', [player.id]);
    const waiting = inParallel(() => enter(player), MANY);
    await untilLocked();
    await expectServiceForOthers();
    await unlock(waiting);
  });

  it('that counts registrations delays only registrations', async () => {
    const forms: object[] = [];
    for (let n = 0; n <= MANY; n++) forms.push(await registrationForm(w.service, w.server));
    expect((await register(w.service, forms.pop()!)).status).toBe(200);
    await operator.beginTransaction();
    await operator.query('SELECT taken FROM registration_day FOR UPDATE');
    const waiting = inParallel(
      async (index) => (await register(w.service, forms[index]!)).status,
      MANY,
    );
    await untilLocked();
    await expectServiceForOthers();
    await unlock(waiting);
  });
});

describe('LOCK TABLES player READ', () => {
  it('delays writes but not reads', async () => {
    const player = await createPlayer(w.service);
    const token = tokenOf(w.service, player);
    await operator.query('LOCK TABLES player READ');
    const waiting = inParallel(() => enter(player), MANY);
    for (let n = 0; n < 10; n++) {
      const answer = await w.service.client.get('/api/sessions', { token });
      expect(answer.status).toBe(200);
    }
    await operator.query('UNLOCK TABLES');
    for (const status of await waiting) expect([200, 503]).toContain(status);
  });
});
