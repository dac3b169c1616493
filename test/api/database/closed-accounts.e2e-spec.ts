import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PersonalDataRemovalService,
  KEPT,
  TRACES,
  WAYS_IN,
} from '../../../src/features/closing/personal-data-removal.service.js';
import { UNUSABLE_PASSWORD } from '../../../src/features/accounts/passwords.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { MailEventLog } from '../../../src/platform/audit/mail-event-log.js';
import { RequestEventLog } from '../../../src/platform/audit/request-event-log.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import { closeNow, findPlayer, makeDue } from '../../support/api/closing.js';
import { addServer, banPlayer, createPlayer, passwordHash } from '../../support/api/factories.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { until } from '../../support/until.js';

const NEW_PASSWORD = 'another-password';
const AGENT = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/130.0' };
let service: MailApp;
let serverId: number;

beforeAll(async () => {
  service = await startProfileApp();
  serverId = (await addServer(service.database)).id;
});
afterAll(() => service.stop());

const { post, me, login, bind, codeFor } = profileRequests(() => service);

const count = async (table: string, playerId: number): Promise<number> => {
  const sql = `SELECT COUNT(*) AS n FROM ${table} WHERE player_id = ${playerId}`;
  return Number((await service.database.query<[{ n: string }]>(sql))[0].n);
};

async function flushEvents(): Promise<void> {
  for (const log of [LoginEventLog, MailEventLog, RequestEventLog])
    await service.app.get<{ flush(): Promise<void> }>(log).flush();
}

/** Creates a player with a row in every table. */
async function createBusyPlayer() {
  const email = newMailbox();
  const player = await createPlayer(service, {
    email,
    device: 'PC',
    os: 'Windows 10',
    browse: 'Firefox',
    ip: '203.0.113.7',
  });
  const browser = BrowserSession.of(service);
  await browser.signIn(player.account, PASSWORD, { headers: AGENT });
  const { token } = browser;
  const connectId = `identity of ${player.account}`.replaceAll(' ', '_');
  expect((await bind(connectId, {}, token)).status).toBe(200);
  await post('enter_game', { server_id: serverId }, token);
  await login(player.account, 'a guess');
  // The ban is already applied, so no e-mail about the ban follows.
  await banPlayer(service, player, { scope: 'withdraw', appliedAt: new Date() });
  const { id } = player;
  await service.database.query(
    `INSERT INTO mailbox_undo (player_id, version, email, expires_at) VALUES (${id}, 1, '${newMailbox()}', '2099-01-01')`,
  );
  for (const sql of [
    `player_totp (player_id, secret, created_at) VALUES (${id}, 'sealed', '2026-01-01')`,
    `player_recovery_code (player_id, code_hash) VALUES (${id}, 'hash')`,
    `player_passkey (player_id, credential_id, public_key, name, created_at)
     VALUES (${id}, 'credential ${id}', 'key', 'my phone', '2026-01-01')`,
  ])
    await service.database.query(`INSERT INTO ${sql}`);
  await service.database.query(
    `INSERT INTO refused_request (created_at, player_id, method, path, error, address, request_id)
     VALUES ('2026-01-01', ${id}, 'GET', '/api/x', 'not_found', '203.0.113.7', 'r')`,
  );
  await service.database.query(
    `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, created_at, status, order_no, address, session_id)
     VALUES (${id}, ${serverId}, ${serverId}, ${id}, 'hero', 100, '2026-01-01', 'succeeded', 'W-${id}', '203.0.113.7', 7)`,
  );
  await service.database.query(`INSERT INTO player_alias VALUES ('old ${player.account}', ${id})`);
  // Waits for the link and the e-mails about sign-in and link, whose events would otherwise be written after the closing.
  await until(async () => {
    await flushEvents();
    return (await count('mail_event', id)) === 2 && (await count('player_change', id)) === 1;
  });
  return { player: Object.assign(player, { email }), browser, token, connectId };
}

async function closed(): Promise<Awaited<ReturnType<typeof createBusyPlayer>>> {
  const busy = await createBusyPlayer();
  await closeNow(service, busy.player.id);
  return busy;
}

describe('Closing an account', () => {
  it('covers every table that has a player_id', () => {
    const tables = service.database.entityMetadatas
      .filter(({ columns }) => columns.some(({ databaseName }) => databaseName === 'player_id'))
      .map(({ tableName }) => tableName);
    expect([...WAYS_IN, ...TRACES, ...KEPT]).toEqual(expect.arrayContaining(tables));
  });

  it('removes all personal data, keeps money, bans and names, and is audited', async () => {
    const busy = await createBusyPlayer();
    const { id, account } = busy.player;
    for (const table of [...WAYS_IN, ...TRACES, 'player_zone', 'player_ban', 'withdraw'])
      expect(await count(table, id), `${table} before`).toBeGreaterThan(0);
    await closeNow(service, id);
    await flushEvents();
    for (const table of [...WAYS_IN, ...TRACES]) expect(await count(table, id), table).toBe(0);
    for (const table of ['player_zone', 'player_ban', 'withdraw', 'player_alias'])
      expect(await count(table, id), table).toBe(1);
    const withdrawals = 'SELECT address, session_id FROM withdraw WHERE player_id = ?';
    expect(await service.database.query(withdrawals, [id])).toMatchObject([
      { address: null, session_id: null },
    ]);
    const player = await findPlayer(service, id);
    const none = { email: null, ip: null, device: null, os: null, browse: null };
    expect(player).toMatchObject({ account, password: UNUSABLE_PASSWORD, ...none });
    expect(player.closedAt).toBeInstanceOf(Date);
    const acts = await service.database
      .getRepository(AuditEvent)
      .findBy({ subject: `player ${id}` });
    expect(acts).toMatchObject([{ act: 'player.closed', operator: 'gatehouse' }]);
    expect(JSON.stringify([player, acts])).not.toContain(busy.player.email);
  });

  it('happens once and not too early, however many instances look for due accounts', async () => {
    const [soon, due] = await Promise.all([createPlayer(service), createPlayer(service)]);
    await service.database
      .getRepository('player')
      .update(soon.id, { closingAt: new Date(Date.now() + 10_000) });
    await makeDue(service, due.id);
    const removal = service.app.get(PersonalDataRemovalService);
    const close = (id: number) => removal.close(id, new Date());
    const won = await Promise.all([due, due, due, soon].map(({ id }) => close(id)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(won[3]).toBe(false);
    const acts = await service.database
      .getRepository(AuditEvent)
      .findBy({ subject: `player ${due.id}` });
    expect(acts).toHaveLength(1);
    expect((await findPlayer(service, soon.id)).closedAt).toBeNull();
  });

  it('waits while a withdrawal is open', async () => {
    const { player } = await createBusyPlayer();
    const set = (status: string) =>
      service.database.query(
        `UPDATE withdraw SET status = '${status}' WHERE player_id = ${player.id}`,
      );
    await set('unknown');
    await closeNow(service, player.id);
    expect(await service.app.get(PersonalDataRemovalService).close(player.id, new Date())).toBe(
      false,
    );
    expect((await findPlayer(service, player.id)).closedAt).toBeNull();
    await set('succeeded');
    await closeNow(service);
    expect((await findPlayer(service, player.id)).closedAt).not.toBeNull();
  });

  it('deletes, half an hour later, rows that were written during the closing', async () => {
    const { player } = await closed();
    const { id } = player;
    await service.database.query(
      `INSERT INTO mail_event (created_at, player_id, kind, outcome, mailbox)
       VALUES ('2026-01-01', ${id}, 'ban', 'sent', 'p***@example.com')`,
    );
    const players = service.database.getRepository<Player>('player');
    await players.update(id, { ip: '203.0.113.7' });
    await closeNow(service);
    expect(await count('mail_event', id)).toBe(1);
    await players.update(id, { closedAt: new Date(Date.now() - 31 * 60_000) });
    await closeNow(service);
    expect(await count('mail_event', id)).toBe(0);
    expect(await findPlayer(service, id)).toMatchObject({ ip: null, closingAt: null });
  });
});

describe('A closed account', () => {
  it('rejects every way to sign in', async () => {
    const { player, browser, token, connectId } = await closed();
    const { account, email } = player;
    const hash = passwordHash(service, PASSWORD);
    const check = (sent: string) => service.client.post('/api/check', { account, token: sent });
    const reset = { account, email, code: await codeFor(email), password: NEW_PASSWORD };
    const answers = await Promise.all([
      login(account),
      login(email),
      login(account, ''),
      login(account, UNUSABLE_PASSWORD),
      login(`old ${account}`),
      me(token),
      post('account/keep', {}, token),
      browser.refresh(),
      check(hash),
      check(token),
      check(UNUSABLE_PASSWORD),
      post('reset_password', reset),
      post('bind_account', { account, connect_id: 'another' }),
      service.client.get(`/api/link?connect_id=${connectId}`),
      bind('another', { account, password: PASSWORD }),
    ]);
    for (const [index, { status }] of answers.entries())
      expect(status, `door ${index}`).toBeGreaterThanOrEqual(400);
    const { created, account: other } = (await bind(connectId)).body.data;
    expect({ created, isAnother: other !== account }).toEqual({ created: true, isAnother: true });
  });

  it('keeps its name and frees its e-mail address', async () => {
    const { player } = await closed();
    const { account, email } = player;
    const form = { password: PASSWORD, email, server_id: serverId, code: await codeFor(email) };
    for (const name of [account, account.toUpperCase()]) {
      const taken = await post('register', { ...form, account: name });
      expect(taken.body.error).toBe('account_taken');
    }
    const fresh = { ...form, account: `${account.slice(0, 12)}_new` };
    expect((await post('register', fresh)).status).toBe(200);
  });

  it.each(['password = MD5OF', "email = 'a@example.com'", 'disabled_at = NULL'])(
    'rejects SQL that sets %s',
    async (set) => {
      const { player } = await closed();
      const sql = set.replace('MD5OF', `'${passwordHash(service, PASSWORD)}'`);
      const edit = service.database.query(`UPDATE player SET ${sql} WHERE id = ${player.id}`);
      await expect(edit).rejects.toThrow(/CHECK|constraint/i);
    },
  );
});
