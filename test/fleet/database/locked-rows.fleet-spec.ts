import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Tickets } from '../../../src/features/forum-auth/tickets.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { times } from '../../support/api/parallel.js';
import { FORUM, RELAXED } from '../../support/api/profile.js';
import { register, registrationForm, storeCode } from '../../support/api/registration.js';
import { type FundedRole, GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';
import { Bystanders, PersistentClients } from '../../support/api/bystanders.js';

/** More than there are connections. */
const MANY = 15;
/** A request that waits for a connection takes 2 s, so this margin for a busy machine hides no such wait. */
const MARGIN_MS = 1000;
/** What the service promises, beside what any request takes on this machine. */
const LONGEST_MS = 5000;
const ADDRESS = '192.0.2.1';

let w: Withdrawals;
let bystanders: Bystanders;
/** An operator's SQL client. */
let operator: Connection;
/** `LONGEST_MS` on this machine, by the last measurement without a lock. */
let longest = LONGEST_MS;

beforeAll(async () => {
  w = await Withdrawals.start({}, FORUM);
  await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT });
  bystanders = await Bystanders.create(w.service);
});
afterAll(() => w.stop());
beforeEach(async () => {
  operator = await createConnection(w.service.app.get(Environment).DATABASE_URL!);
});
afterEach(() => operator.destroy());

const post = async (path: string, body: object, token?: string) =>
  (await w.service.client.post(path, body, { token, from: ADDRESS })).status;

const enter = (player: Player) =>
  post('/api/enter_game', { server_id: w.server }, tokenOf(w.service, player));

/** Compares other players' requests before the lock with those while many clients need what is locked. */
async function expectNoDelay(
  request: (index: number) => Promise<number>,
  { lock, send }: { lock: string[]; send: (index: number) => Promise<number> },
): Promise<void> {
  const normal = await bystanders.measure(request);
  longest = LONGEST_MS + 2 * normal.slowest;
  const clients = new PersistentClients(MANY, send);
  for (const sql of lock) await operator.query(sql);
  try {
    const locked = await bystanders.measure(request, () => clients.sendAll());
    expect([...new Set([...normal.statuses, ...locked.statuses])]).toEqual([200]);
    expect(locked.slowest).toBeLessThan(longest);
    expect(locked.p99).toBeLessThan(2 * normal.p99 + MARGIN_MS);
  } finally {
    await operator.query('ROLLBACK');
    await operator.query('UNLOCK TABLES');
    await clients.finish();
  }
  expect(clients.statuses).not.toContain(500);
}

describe('A locked row', () => {
  it('of a server that an operator has edited delays only withdrawals there', async () => {
    const roles: FundedRole[] = [];
    for (let n = 0; n < MANY; n++) roles.push(await w.createFundedRole(1000));
    await expectNoDelay((index) => bystanders.logInOrEnter(index, w.server), {
      lock: ['START TRANSACTION', `UPDATE server SET sort = sort + 1 WHERE id = ${w.server}`],
      send: async (index) => (await w.withdraw(roles[index]!, 1)).status,
    });
  });

  it('of a server makes a withdrawal there answer server_unavailable', async () => {
    const role = await w.createFundedRole(1000);
    await operator.beginTransaction();
    await operator.query(`UPDATE server SET sort = sort + 1 WHERE id = ?`, [w.server]);
    expect((await w.withdraw(role, 100)).body.error).toBe('server_unavailable');
    await operator.query('ROLLBACK');
    expect((await w.withdraw(role, 100)).status).toBe(200);
  });

  it('of a player delays only that player, whatever it is that he does', async () => {
    const player = await createPlayer(w.service, { email: newMailbox() });
    const token = tokenOf(w.service, player);
    const mailboxes = times(MANY, () => newMailbox());
    for (const email of [player.email!, ...mailboxes]) await storeCode(w.service, email);
    const code = '123456';
    const tickets = w.service.app.get(Tickets);
    const { account, email } = player;
    const actions: Array<(index: number) => Promise<number>> = [
      () => enter(player),
      (index) =>
        post('/api/account/email', { email: mailboxes[index], code, password: PASSWORD }, token),
      () => post('/api/account/password', { old_password: PASSWORD, password: 'another' }, token),
      () => post('/api/reset_password', { account, email, code, password: 'another' }),
      () =>
        post('/api/forumauth/bind', {
          ticket: tickets.issue(unique('id')),
          account,
          password: PASSWORD,
        }),
      () =>
        post('/api/bind_account', { account, connect_id: unique('id'), provider: unique('by') }),
    ];
    await expectNoDelay((index) => bystanders.logInOrEnter(index, w.server), {
      lock: ['START TRANSACTION', `SELECT id FROM player WHERE id = ${player.id} FOR UPDATE`],
      send: (index) => actions[index % actions.length]!(index),
    });
  });

  it('that counts registrations delays only registrations', async () => {
    const forms: object[] = [];
    for (let n = 0; n <= MANY; n++) forms.push(await registrationForm(w.service, w.server));
    expect((await register(w.service, forms.pop()!)).status).toBe(200);
    await expectNoDelay((index) => bystanders.logInOrEnter(index, w.server), {
      lock: ['START TRANSACTION', 'SELECT taken FROM registration_day FOR UPDATE'],
      send: async (index) => (await register(w.service, forms[index]!)).status,
    });
  });
});

describe('LOCK TABLES … READ', () => {
  it('of players delays neither logins nor reads', async () => {
    const players: Player[] = [];
    for (let n = 0; n < MANY; n++) players.push(await createPlayer(w.service));
    await expectNoDelay((index) => bystanders.logInOrRead(index), {
      lock: ['LOCK TABLES player READ'],
      send: (index) => enter(players[index]!),
    });
  });

  it('of login addresses delays logins alone, which succeed within 5 s', async () => {
    const players: Player[] = [];
    for (let n = 0; n < MANY; n++) players.push(await createPlayer(w.service));
    const answers: Array<{ status: number; ms: number }> = [];
    await expectNoDelay((index) => bystanders.enter(index, w.server), {
      lock: ['LOCK TABLES login_address READ'],
      send: async (index) => {
        const started = performance.now();
        const status = await bystanders.logIn(players[index]!.account);
        answers.push({ status, ms: performance.now() - started });
        return status;
      },
    });
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(longest);
  });

  it('of all that a login writes answers logins within 5 s', async () => {
    const { account } = await createPlayer(w.service);
    await operator.query('LOCK TABLES login_address READ, session READ');
    const started = performance.now();
    expect(await bystanders.logIn(account)).toBe(503);
    expect(performance.now() - started).toBeLessThan(longest);
  });
});
