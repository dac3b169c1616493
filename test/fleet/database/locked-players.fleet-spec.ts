import { setTimeout as pause } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ForumTickets } from '../../../src/features/forum-auth/forum-tickets.js';
import { SignedTokens } from '../../../src/platform/auth/signed-tokens.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { Authenticator } from '../../support/api/authenticator.js';
import {
  Bystanders,
  COUNT_WAITING_EVERY_MS,
  countWaiting,
  expectNoDelay,
  PersistentClients,
} from '../../support/api/bystanders.js';
import { times } from '../../support/api/parallel.js';
import { passkeyRequests } from '../../support/api/passkeys.js';
import { FORUM, RELAXED } from '../../support/api/profile.js';
import { register, registrationForm, storeCode } from '../../support/api/registration.js';
import type { SoftwareAuthenticator } from '../../support/api/software-authenticator.js';
import { type FundedRole, GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';

const PLAYERS = 20;
/** The pool has enough connections for this many. */
const CREATED_AT_ONCE = 5;
/** Each player has several requests in progress, as with several tabs. */
const CLIENTS = 3 * PLAYERS;
const REQUESTS = 8;
/** The pool has enough connections if each of these routes uses one. */
const ROUTES_AT_ONCE = 6;
const CODE = '123456';

/** Maps each table with rows of a player to the condition for these rows. */
const TABLES: Record<string, (target: Target) => [string, string | number]> = {
  player: ({ player }) => ['id = ?', player.id],
  verify: ({ email }) => ['email = ?', email],
  ...Object.fromEntries(
    [
      'session',
      'login_address',
      'player_zone',
      'withdraw',
      'player_connect_threeparty',
      'player_totp',
      'player_recovery_code',
      'player_passkey',
      'mailbox_undo',
    ].map((table) => [table, ({ player }: Target) => ['player_id = ?', player.id]]),
  ),
};
/** Lists the tables that are locked together. The rarely written ones share a run, because each run takes long. */
const TABLES_AT_ONCE = [
  'player',
  'verify',
  'session',
  'login_address',
  'player_zone',
  'withdraw',
  'player_connect_threeparty, player_totp, player_recovery_code, player_passkey, mailbox_undo',
];
/**
 * Lists tables that a request only appends to or reads, that only operators and jobs write, or that only a transaction
 * with the player's lock writes.
 */
const OTHER_TABLES = [
  'event_outbox',
  'event_queue',
  'import_player',
  'login_event',
  'mail_event',
  'player_alias',
  'player_ban',
  'player_change',
  'refused_request',
  'withdraw_orphan',
];

interface Target extends FundedRole {
  address: string;
  session: string;
  cookie: string;
  email: string;
  connectId: string;
  app: Authenticator;
  device: SoftwareAuthenticator;
}

let w: Withdrawals;
let bystanders: Bystanders;
let bystanderRoles: FundedRole[];
let created = 0;
const { addDevice, newDevice, options } = passkeyRequests(() => w.service);

beforeAll(async () => {
  w = await Withdrawals.start({}, FORUM);
  const registration = { per_address_day: null };
  await w.service.changeSettings({
    ...RELAXED,
    registration,
    day_max_reg: null,
    withdraw: GM_TIMEOUT,
  });
  bystanders = await Bystanders.create(w.service);
  bystanderRoles = [await w.createFundedRole(1e6), await w.createFundedRole(1e6)];
});
afterAll(async () => {
  bystanders.stop();
  await w.stop();
});

const insert = (table: string, row: object) =>
  w.service.database.createQueryBuilder().insert().into(table).values(row).execute();

/** Creates a player with a row in each of the tables. */
async function createTarget(needsFactor?: boolean): Promise<Target> {
  const number = ++created;
  const hasSecondFactor = needsFactor ?? number % 2 === 0;
  const { client, database } = w.service;
  const role = await w.createFundedRole(1000);
  const { id, account } = role.player;
  const [email, connectId] = [newMailbox(), unique('forum')];
  await database.query(
    'UPDATE player SET email = ?, closing_at = NOW(3) + INTERVAL 1 DAY WHERE id = ?',
    [email, id],
  );
  await storeCode(w.service, email);
  await insert('player_connect_threeparty', { playerId: id, provider: 'forum', connectId });
  const later = new Date(Date.now() + 3_600_000);
  await insert('mailbox_undo', { playerId: id, version: 0, email, expiresAt: later });
  const address = `198.51.${number >> 8}.${number & 255}`;
  const login = { account, password: PASSWORD, remember: true };
  // The request that ends a session needs a second one.
  await client.post('/api/login', login, { from: address });
  const { body, headers } = await client.post('/api/login', login, { from: address });
  const { token } = body.data;
  const { sessions } = (await client.get('/api/sessions', { token })).body.data;
  await client.post('/api/enter_game', { server_id: w.server }, { token });
  await w.withdraw({ ...role, token }, 100);
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
  const { secret } = (await client.post('/api/account/totp', {}, { token })).body.data;
  const code = new Authenticator(secret, []).code();
  const confirmed = await client.post('/api/account/totp/confirm', { code }, { token });
  const app = new Authenticator(secret, confirmed.body.data.recovery_codes);
  const session = sessions[0].id;
  await database.query('UPDATE session SET second_factor_at = NOW(3) WHERE player_id = ?', [id]);
  const device = await addDevice(token);
  if (!hasSecondFactor) {
    await database.query('UPDATE player SET has_second_factor = 0 WHERE id = ?', [id]);
    // The app is pending again, so that it can be confirmed.
    await database.query('UPDATE player_totp SET confirmed_at = NULL WHERE player_id = ?', [id]);
  }
  return { ...role, token, address, session, cookie, email, connectId, app, device };
}

/** Creates one more player, because InnoDB also locks the gap up to the next player's rows. */
async function createTargets(): Promise<Target[]> {
  const targets: Target[] = [];
  while (targets.length < PLAYERS)
    targets.push(...(await Promise.all(times(CREATED_AT_ONCE, () => createTarget()))));
  await createTarget();
  return targets;
}

/** Requests a ticket for the second step without writing anything. Without a second factor, the sign-in succeeds. */
async function ticketOf({ player: { account }, address: from }: Target): Promise<string> {
  const answer = await w.service.client.post(
    '/api/login',
    { account, password: PASSWORD },
    { from },
  );
  return answer.body.ticket ?? 'none';
}

const forumTicket = (connectId: string) => w.service.app.get(ForumTickets).issue(connectId);

type Act = (target: Target) => object | Promise<object>;

/** Maps each route that writes to a player's rows to the body of a request. A note in brackets tells requests apart. */
const ACTS: Record<string, Act> = {
  'POST /api/login': ({ player }) => ({ account: player.account, password: PASSWORD }),
  'POST /api/login/second': async (target) => ({
    ticket: await ticketOf(target),
    recovery_code: target.app.recoveryCodes[0],
  }),
  'POST /api/login/passkey': async ({ device }) => ({
    response: device.get(await options('login/passkey')),
  }),
  'POST /api/register': async ({ email }) => ({
    ...(await registrationForm(w.service, w.server)),
    email,
    code: CODE,
  }),
  'POST /api/enter_game': () => ({ server_id: w.server }),
  'POST /api/game/withdraw': ({ role }) => ({ server_id: w.server, role_id: role, amount: 100 }),
  'POST /api/session/refresh': () => ({}),
  'POST /api/session/confirm': () => ({ password: PASSWORD }),
  'POST /api/logout': () => ({}),
  'DELETE /api/sessions/{id}': () => ({}),
  'DELETE /api/sessions': () => ({}),
  'GET /api/account/export': () => ({}),
  'POST /api/account/name': () => ({ account: unique('chosen') }),
  'POST /api/account/password': () => ({ old_password: PASSWORD, password: unique('another') }),
  'POST /api/account/email': async () => {
    const email = newMailbox();
    return { email, code: await storeCode(w.service, email), password: PASSWORD };
  },
  'POST /api/account/email/undo': ({ player }) => ({
    token: w.service.app
      .get(SignedTokens)
      .sign('mailbox undo', { playerId: player.id, version: 0 }, { seconds: 3600 }),
  }),
  'POST /api/account/close': () => ({ password: PASSWORD }),
  'POST /api/account/keep': () => ({}),
  'POST /api/account/totp': () => ({}),
  'POST /api/account/totp/confirm': ({ app }) => ({ code: app.code() }),
  'DELETE /api/account/totp': () => ({}),
  'POST /api/account/recovery_codes': () => ({}),
  'POST /api/account/passkeys': async ({ token }) => {
    const { body } = await w.service.client.post('/api/account/passkeys/options', {}, { token });
    return { name: 'phone', response: body.data ? newDevice().create(body.data) : {} };
  },
  'DELETE /api/account/passkeys/{id}': () => ({}),
  'POST /api/unbind': () => ({ provider: 'forum' }),
  'POST /api/bind_account': ({ player }) => ({
    account: player.account,
    connect_id: unique('id'),
    provider: unique('by'),
  }),
  'POST /api/forumauth/bind (of another identity)': () => ({ ticket: forumTicket(unique('id')) }),
  'POST /api/forumauth/bind (to sign in)': ({ connectId }) => ({ ticket: forumTicket(connectId) }),
  'POST /api/reset_password': ({ player, email }) => ({
    account: player.account,
    email,
    code: CODE,
    password: unique('another'),
  }),
};
const NAMES = Object.keys(ACTS);
/** Matches requests of players with a second factor. */
const NEEDS_FACTOR = /login.(second|passkey)|recovery_codes/;
/** Matches requests that are sent without a token, because a token would change what they do. */
const ANONYMOUS = /^POST .api.(login|register|forumauth.bind .to sign in.)/;

/** Lists routes that write no row of a player, and one that writes a mailbox's row at most once a minute. */
const OTHERS = [
  'POST /api/account/passkeys/options',
  'POST /api/check',
  'POST /api/login/passkey/options',
  'POST /api/login/second/options',
  'POST /api/report/chat',
  'POST /api/send_code',
  'POST /api/session/confirm/options',
];

async function act(name: string, target: Target): Promise<number> {
  const [method, path] = name.split(' ') as [string, string];
  const { token, session, cookie, address } = target;
  const body = await ACTS[name]!(target);
  const sending = w.service.client.send(method, path.replace('{id}', session), {
    token: ANONYMOUS.test(name) ? undefined : token,
    from: name === 'POST /api/bind_account' ? undefined : address,
    headers: { Cookie: cookie, Origin: w.service.app.get(Environment).FRONTEND_URL },
    ...(method === 'POST' && { body }),
  });
  const { status } = await sending.catch((error: Error) => {
    // A download breaks off if a later statement finds no connection.
    if (path.endsWith('/export') && error.message === 'terminated') return { status: 503 };
    throw error;
  });
  return status;
}

/** Sends the request of a player whose rows are not locked. */
async function actAsBystander(index: number): Promise<number> {
  if (index < bystanderRoles.length) return (await w.withdraw(bystanderRoles[index]!, 100)).status;
  if (index > bystanderRoles.length) return bystanders.logInOrEnter(index, w.server);
  return (await register(w.service, await registrationForm(w.service, w.server))).status;
}

/** Measures other players' requests while these players keep sending theirs. */
async function measureOthers(targets: Target[], release?: () => Promise<unknown>) {
  let sent = 0;
  const clients = new PersistentClients(CLIENTS, (index) =>
    act(NAMES[sent++ % NAMES.length]!, targets[index % PLAYERS]!),
  );
  try {
    return await bystanders.measure(actAsBystander, () => clients.sendAll());
  } finally {
    await release?.();
    await clients.finish();
    expect(clients.statuses).not.toContain(500);
  }
}

/** Locks the targets' rows while `work` runs, or until it calls the given function. */
async function whileLocked<T>(
  tables: typeof TABLES,
  targets: Target[],
  work: (release: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const operator = await createConnection(w.service.app.get(Environment).DATABASE_URL!);
  try {
    await operator.beginTransaction();
    // A single UPDATE would scan a small table, and InnoDB would lock every row that it reads.
    for (const [table, conditionOf] of Object.entries(tables))
      for (const target of targets) {
        const [condition, value] = conditionOf(target);
        const sql = `SELECT 1 FROM ${table} WHERE ${condition} FOR UPDATE`;
        expect((await operator.query(sql, [value]))[0], table).not.toHaveLength(0);
      }
    return await work(() => operator.query('ROLLBACK'));
  } finally {
    operator.destroy();
  }
}

/** Sends requests of one route for each target, and returns their statuses and how many waited at the same time. */
async function sendAll(names: string[], targets: Target[]) {
  const sending = Promise.all(
    names.map((name, index) => Promise.all(times(REQUESTS, () => act(name, targets[index]!)))),
  );
  const isOver = sending.then(() => true);
  let most = 0;
  while (!(await Promise.race([isOver, pause(COUNT_WAITING_EVERY_MS, false)])))
    most = Math.max(most, await countWaiting(w.service));
  return { statuses: await sending, most };
}

describe('A player whose rows are all locked', () => {
  it('occupies one connection, whichever route the requests use', async () => {
    for (let from = 0; from < NAMES.length; from += ROUTES_AT_ONCE) {
      const names = NAMES.slice(from, from + ROUTES_AT_ONCE);
      const targets = await Promise.all(names.map((name) => createTarget(NEEDS_FACTOR.test(name))));
      const { statuses, most } = await whileLocked(TABLES, targets, () => sendAll(names, targets));
      const served = names.filter((_, index) => !statuses[index]!.includes(503));
      expect(served, 'requests that wrote to no locked row').toEqual([]);
      // A statement that has timed out may wait a little longer on the server than here.
      expect(most, names.join()).toBeLessThanOrEqual(names.length + REQUESTS / 2);
    }
  });
});

describe('Locked rows of 20 players', () => {
  let normal: Awaited<ReturnType<typeof measureOthers>>;
  beforeAll(async () => {
    normal = await measureOthers(await createTargets());
  });

  it.each(TABLES_AT_ONCE)(
    'in the tables %s delay no other player, whatever these players do',
    async (names) => {
      const targets = await createTargets();
      const tables = Object.fromEntries(names.split(', ').map((name) => [name, TABLES[name]!]));
      const locked = await whileLocked(tables, targets, (release) =>
        measureOthers(targets, release),
      );
      expectNoDelay(normal, locked);
    },
  );

  it('are tested in every table with rows of players', async () => {
    expect(TABLES_AT_ONCE.flatMap((names) => names.split(', '))).toEqual(Object.keys(TABLES));
    const rows: Array<{ name: string }> = await w.service.database.query(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = DATABASE() AND column_name = 'player_id'`,
    );
    expect([...Object.keys(TABLES), ...OTHER_TABLES].toSorted()).toEqual(
      [...rows.map(({ name }) => name), 'player', 'verify'].toSorted(),
    );
  });

  it('are tested with every route that writes', async () => {
    const { paths } = (await w.service.client.get('/api/openapi.json')).body;
    const routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const writing = routes.filter((route) => !route.startsWith('GET '));
    const acts = new Set(Object.keys(ACTS).map((name) => name.replace(/ \(.*/, '')));
    expect([...acts, ...OTHERS].toSorted()).toEqual(
      [...writing, 'GET /api/account/export'].toSorted(),
    );
  });
});
