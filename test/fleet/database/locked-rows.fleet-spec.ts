import { EventEmitter, once } from 'node:events';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MailboxUndo } from '../../../src/features/profile/mailbox-undo.service.js';
import { SessionsService } from '../../../src/features/sessions/sessions.service.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { SignedTokens } from '../../../src/platform/auth/signed-tokens.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { times } from '../../support/api/parallel.js';
import { FORUM, RELAXED } from '../../support/api/profile.js';
import { register, registrationForm, storeCode } from '../../support/api/registration.js';
import { type FundedRole, GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';
import { until } from '../../support/until.js';
import {
  Bystanders,
  COUNT_WAITING_EVERY_MS,
  countWaiting,
  expectNoDelay,
  PersistentClients,
} from '../../support/api/bystanders.js';

/** Exceeds the number of connections. */
const MANY = 15;
/** The service runs one more registration than this at the same time. */
const STUCK = 3;
/** The service promises this limit in addition to the normal response time. */
const LONGEST_MS = 5000;
const ADDRESS = '192.0.2.1';

let w: Withdrawals;
let bystanders: Bystanders;
/** The connection acts as an operator's SQL client. */
let operator: Connection;
/** Adds the response time of the last measurement without a lock to `LONGEST_MS`. */
let longest = LONGEST_MS;

beforeAll(async () => {
  w = await Withdrawals.start({}, FORUM);
  await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT });
  bystanders = await Bystanders.create(w.service);
});
afterAll(async () => {
  bystanders.stop();
  await w.stop();
});
beforeEach(async () => {
  operator = await createConnection(w.service.app.get(Environment).DATABASE_URL!);
});
afterEach(() => {
  operator.destroy();
  w.game.fault = () => 'none';
});

const post = async (path: string, body: object, token?: string) =>
  (await w.service.client.post(path, body, { token, from: ADDRESS })).status;

const enter = (player: Player) =>
  post('/api/enter_game', { server_id: w.server }, tokenOf(w.service, player));

/** Compares other players' requests before the lock and while many clients wait for the lock. */
async function expectNoDelayBy(
  request: (index: number) => Promise<number>,
  { lock, send }: { lock: string[]; send: (index: number) => Promise<number> },
): Promise<void> {
  const normal = await bystanders.measure(request);
  longest = LONGEST_MS + 2 * normal.slowest;
  const clients = new PersistentClients(MANY, send);
  for (const sql of lock) await operator.query(sql);
  try {
    const locked = await bystanders.measure(request, () => clients.sendAll());
    expectNoDelay(normal, locked);
    expect(locked.slowest).toBeLessThan(longest);
  } finally {
    await operator.query('ROLLBACK');
    await operator.query('UNLOCK TABLES');
    await clients.finish();
  }
  expect(clients.statuses).not.toContain(500);
}

describe('A locked row', () => {
  it('of a server that an operator is editing delays only withdrawals on that server', async () => {
    const roles: FundedRole[] = [];
    for (let n = 0; n < MANY; n++) roles.push(await w.createFundedRole(1000));
    await expectNoDelayBy((index) => bystanders.logInOrEnter(index, w.server), {
      lock: ['START TRANSACTION', `UPDATE server SET sort = sort + 1 WHERE id = ${w.server}`],
      send: async (index) => (await w.withdraw(roles[index]!, 1)).status,
    });
  });

  it('of each of 48 orders delays no other player when the hanging game server of these orders responds', async () => {
    const server = await w.addServer();
    await w.untilListed(`"id":${server},`);
    const roles: FundedRole[] = [];
    for (let n = 0; n < 48; n++) roles.push(await w.createFundedRole(1000, server));
    const normal = await bystanders.measure((index) => bystanders.logInOrEnter(index, w.server));
    w.game.fault = () => 'hang_before';
    const sent = roles.map((role) => w.withdraw(role, 100));
    await until(() => w.game.hangingCount === roles.length);
    await operator.query('START TRANSACTION');
    await operator.query('UPDATE withdraw SET asks = asks + 1 WHERE role_server_id = ?', [server]);
    await w.game.release();
    const locked = await bystanders.measure((index) => bystanders.logInOrEnter(index, w.server));
    await operator.query('ROLLBACK');
    await Promise.all(sent);
    await until(async () =>
      (await w.rows({ roleServerId: server })).every(({ status }) => status !== 'sending'),
    );
    expectNoDelay(normal, locked);
  });

  it('of a server makes a withdrawal there fail with server_unavailable', async () => {
    const role = await w.createFundedRole(1000);
    await operator.beginTransaction();
    await operator.query(`UPDATE server SET sort = sort + 1 WHERE id = ?`, [w.server]);
    expect((await w.withdraw(role, 100)).body.error).toBe('server_unavailable');
    await operator.query('ROLLBACK');
    expect((await w.withdraw(role, 100)).status).toBe(200);
  });

  it('of the registration counter delays only registrations', async () => {
    const forms: object[] = [];
    for (let n = 0; n <= MANY; n++) forms.push(await registrationForm(w.service, w.server));
    expect((await register(w.service, forms.pop()!)).status).toBe(200);
    await expectNoDelayBy((index) => bystanders.logInOrEnter(index, w.server), {
      lock: ['START TRANSACTION', 'SELECT taken FROM registration_day FOR UPDATE'],
      send: async (index) => (await register(w.service, forms[index]!)).status,
    });
  });
});

describe('A mailbox that an open transaction assigns to a player', () => {
  it('delays no other registration while three registrations wait for such mailboxes', async () => {
    // InnoDB also locks the gap before each mailbox. This player's mailbox keeps the first gap narrow.
    await createPlayer(w.service, { email: '0@mail.example' });
    const forms = await Promise.all(
      times(STUCK, async (index) => {
        const email = `0${index}@mail.example`;
        const code = await storeCode(w.service, email);
        return { ...(await registrationForm(w.service, w.server)), email, code };
      }),
    );
    const other = await registrationForm(w.service, w.server);
    const players = await Promise.all(forms.map(() => createPlayer(w.service)));
    await operator.beginTransaction();
    for (const [index, { email }] of forms.entries())
      await operator.query('UPDATE player SET email = ? WHERE id = ?', [email, players[index]!.id]);
    const clients = new PersistentClients(
      STUCK,
      async (index) => (await register(w.service, forms[index]!)).status,
    );
    const isStuck = async () => {
      clients.sendAll();
      return (await countWaiting(w.service)) >= STUCK;
    };
    await until(isStuck, { every: COUNT_WAITING_EVERY_MS });
    expect((await register(w.service, other)).status).toBe(200);
    await operator.query('ROLLBACK');
    await clients.finish();
    expect(clients.statuses).not.toContain(500);
  });

  it('is not locked yet while an undo waits for other rows', async () => {
    const { id } = await createPlayer(w.service);
    // InnoDB also locks the gap up to the next player's sessions, in which the new player's session would be.
    await bystanders.logIn((await createPlayer(w.service)).account);
    const form = await registrationForm(w.service, w.server);
    const link = { playerId: id, version: 0 };
    const expiresAt = new Date(Date.now() + 3_600_000);
    const change = { ...link, email: form.email, expiresAt };
    await w.service.database.getRepository(MailboxUndo).insert(change);
    const token = w.service.app.get(SignedTokens).sign('mailbox undo', link, { seconds: 3600 });
    const sessions = w.service.app.get(SessionsService);
    const markEnded = sessions.markEnded.bind(sessions);
    const gate = new EventEmitter();
    const [reached, opened] = [once(gate, 'reached'), once(gate, 'open')];
    vi.spyOn(sessions, 'markEnded').mockImplementationOnce(async (...call) => {
      gate.emit('reached');
      await opened;
      return markEnded(...call);
    });
    const undone = post('/api/account/email/undo', { token });
    await reached;
    expect((await register(w.service, form)).status).toBe(200);
    gate.emit('open');
    expect(await undone).toBe(409);
  });
});

describe('LOCK TABLES … READ', () => {
  it('on players delays neither logins nor reads', async () => {
    const players: Player[] = [];
    for (let n = 0; n < MANY; n++) players.push(await createPlayer(w.service));
    await expectNoDelayBy((index) => bystanders.logInOrRead(index), {
      lock: ['LOCK TABLES player READ'],
      send: (index) => enter(players[index]!),
    });
  });

  it('on login addresses delays only logins, which succeed within 5 s', async () => {
    const players: Player[] = [];
    for (let n = 0; n < MANY; n++) players.push(await createPlayer(w.service));
    const answers: Array<{ status: number; ms: number }> = [];
    await expectNoDelayBy((index) => bystanders.enter(index, w.server), {
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

  it('on all tables that a login writes makes logins return 503 within 5 s', async () => {
    const { account } = await createPlayer(w.service);
    await operator.query('LOCK TABLES login_address READ, session READ');
    const started = performance.now();
    expect(await bystanders.logIn(account)).toBe(503);
    expect(performance.now() - started).toBeLessThan(longest);
  });
});
