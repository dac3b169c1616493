import type { FindOptionsWhere } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PlayerEditAuditor } from '../../src/features/accounts/player-edit-auditor.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { ExpiredRowCleaner } from '../../src/platform/database/expired-row-cleaner.js';
import { Tickets } from '../../src/features/forum-auth/tickets.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { LoginEvent } from '../../src/platform/audit/login-event.entity.js';
import { LoginEventLog } from '../../src/platform/audit/login-event-log.js';
import { ServerEditAuditor } from '../../src/features/servers/server-edit-auditor.js';
import { GameServer } from '../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { type CapturedLog, captureLog } from '../support/api/captured-log.js';
import { createPlayer, addServer, PASSWORD, unique } from '../support/api/factories.js';
import { MailServer } from '../support/servers/smtp.js';
import { until } from '../support/until.js';

let mail: MailServer;
let service: TestApp;
let captured: CapturedLog;

beforeAll(async () => {
  mail = await MailServer.start();
  const forum = 'https://forum.example/';
  service = await startApp({
    env: {
      SMTP_URL: mail.url,
      FORUM_AUTHORIZE_URL: forum,
      FORUM_TOKEN_URL: forum,
      FORUM_USERINFO_URL: forum,
      FORUM_CLIENT_ID: 'gatehouse',
      FORUM_CLIENT_SECRET: 'secret-of-the-forum',
    },
  });
});
beforeEach(() => (captured = captureLog()));
afterEach(() => captured.release());
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const login = (account: string, password: string, from = '192.0.2.1') =>
  service.client.post(
    '/api/login',
    { account, password },
    { from, headers: { 'User-Agent': 'Firefox/140' } },
  );

async function eventsOf(where: FindOptionsWhere<LoginEvent>): Promise<LoginEvent[]> {
  await service.app.get(LoginEventLog).flush();
  return service.database.getRepository(LoginEvent).find({ where, order: { id: 'ASC' } });
}

async function codeFor(email: string): Promise<string> {
  await service.client.post('/api/send_code', { email });
  return mail.codeFor(email);
}

const lineOf = async (id: string | null) => {
  const found = () => captured.requests.find(({ request_id }) => request_id === id);
  await until(() => found() !== undefined);
  return found()!;
};

describe('login_event', () => {
  it('tells who signed in, from where, with what and how it ended; the log line tells the player too', async () => {
    const { id, account } = await createPlayer(service);
    const answer = await login(account.toUpperCase(), PASSWORD);
    await login(account, 'wrong', '192.0.2.2');
    await service.database.getRepository(Player).update({ id }, { disabledAt: new Date() });
    await login(account, PASSWORD);
    const events = await eventsOf({ playerId: id });
    const device = 'Firefox/140';
    expect(events).toMatchObject([
      { way: 'login', outcome: 'ok', account: account.toUpperCase(), address: '192.0.2.1', device },
      { way: 'login', outcome: 'bad_credentials', account, address: '192.0.2.2', tries: 1 },
      { way: 'login', outcome: 'account_disabled', address: '192.0.2.1' },
    ]);
    expect(events[0]!.sessionId).toEqual(expect.any(Number));
    expect(events[1]!.sessionId).toBeNull();
    expect(events[0]!.requestId).toBe(answer.headers.get('x-request-id'));
    expect(Date.now() - events[0]!.createdAt.getTime()).toBeLessThan(60_000);
    expect(await lineOf(events[0]!.requestId)).toMatchObject({ player_id: id, status: 200 });
    expect(await lineOf(events[0]!.requestId)).not.toHaveProperty('error');
    expect(await lineOf(events[1]!.requestId)).toMatchObject({
      player_id: id,
      error: 'bad_credentials',
    });
    expect(captured.text).not.toContain(PASSWORD);
  });

  it('has no name that nobody has, which may be a password, and nothing that was no sign-in', async () => {
    await login(unique('nobody'), 'x', '192.0.2.9');
    await service.client.post('/api/login', { account: 7 }, { from: '192.0.2.9' });
    expect(await eventsOf({ address: '192.0.2.9' })).toMatchObject([
      { playerId: null, account: null, outcome: 'bad_credentials', sessionId: null },
    ]);
    expect(captured.requests.at(-1)).toMatchObject({ error: 'invalid_request' });
  });

  it('has registrations, resets and forum logins', async () => {
    const { id: server_id } = await addServer(service.database);
    const email = `${unique('m')}@mail.example`;
    const account = unique('a').slice(0, 20);
    const from = '192.0.2.30';
    const form = { account, password: PASSWORD, email, code: await codeFor(email), server_id };
    await service.client.post('/api/register', { ...form, device: 'Phone', os: 'iOS' }, { from });
    const reset = { account, email, code: '000000', password: 'another one' };
    await service.client.post('/api/reset_password', reset, { from });
    const ticket = service.app.get(Tickets).issue(unique('person'));
    await service.client.post('/api/forumauth/bind', { ticket }, { from });
    await service.client.post('/api/forumauth/bind', { ticket }, { from });
    const { id } = await service.database.getRepository(Player).findOneByOrFail({ account });
    expect(await eventsOf({ address: from })).toMatchObject([
      { way: 'register', outcome: 'ok', playerId: id, account, device: 'Phone, iOS' },
      { way: 'reset', outcome: 'code_invalid', playerId: id, account },
      { way: 'forum', outcome: 'ok', playerId: expect.any(Number), account: null },
      { way: 'forum', outcome: 'ticket_invalid', playerId: null },
    ]);
  });

  it('counts a flood of guesses, and has every success of many at once', async () => {
    const { id, account } = await createPlayer(service);
    await Promise.all(Array.from({ length: 60 }, () => login(account, 'guess', '192.0.2.77')));
    expect((await eventsOf({ playerId: id })).length).toBeLessThanOrEqual(2);
    const many = await Promise.all(Array.from({ length: 40 }, () => createPlayer(service)));
    await Promise.all(many.map((player) => login(player.account, PASSWORD)));
    for (const player of many)
      expect(await eventsOf({ playerId: player.id })).toMatchObject([{ outcome: 'ok' }]);
  });

  it('is deleted after retention_days, in steps', async () => {
    const events = service.database.getRepository(LoginEvent);
    const row = { way: 'login' as const, outcome: 'ok', address: '198.51.100.1' };
    const old = { ...row, createdAt: new Date(Date.now() - 91 * 86_400_000) };
    for (let step = 0; step < 3; step++)
      await events.insert(Array.from({ length: 400 }, () => ({ ...old })));
    await events.insert({ ...row, createdAt: new Date(Date.now() - 89 * 86_400_000) });
    await service.app.get(ExpiredRowCleaner).deleteAll();
    expect(await events.countBy({ address: '198.51.100.1' })).toBe(1);
  });
});

describe('audit_event', () => {
  const audited = (subject: string) =>
    service.database.getRepository(AuditEvent).find({ where: { subject }, order: { id: 'ASC' } });

  it('has SQL edits of servers, once for any number of readers, and again when undone and repeated', async () => {
    const servers = service.database.getRepository(GameServer);
    const { id } = await addServer(service.database);
    // As many instances: each reads the table, and writes down what it sees.
    const readers = Array.from(
      { length: 4 },
      () => new ServerEditAuditor(servers, service.app.get(AuditLog)),
    );
    const look = async () => {
      await Promise.all(
        readers.map(async (reader) => {
          reader.check(await servers.find());
          await reader.whenIdle();
        }),
      );
    };
    await look();
    for (const status of ['maintenance', 'normal', 'maintenance'] as const) {
      await service.database.query('UPDATE server SET status = ? WHERE id = ?', [status, id]);
      await look();
      await look();
    }
    await servers.delete({ id });
    await look();
    expect(await audited(`server ${id}`)).toMatchObject([
      { act: 'server.add', operator: 'sql', before: null, after: { id, status: 'normal' } },
      { act: 'server.set', before: { status: 'normal' }, after: { status: 'maintenance' } },
      { act: 'server.set', before: { status: 'maintenance' }, after: { status: 'normal' } },
      { act: 'server.set', before: { status: 'normal' }, after: { status: 'maintenance' } },
      { act: 'server.remove', before: { id, status: 'maintenance' }, after: null },
    ]);
  });

  it('is written by whatever reads the servers', async () => {
    const { id } = await addServer(service.database);
    await until(async () => {
      await service.client.get('/api/server/list');
      return (await audited(`server ${id}`)).length === 1;
    });
  });

  it('has no edit of an account that an act disabled between two looks', async () => {
    const { id } = await createPlayer(service);
    const [subject, disabledAt] = [`player ${id}`, new Date('2026-11-15T02:14:00.123Z')];
    await service.database.getRepository(Player).update({ id }, { disabledAt });
    await service.database.getRepository(AuditEvent).insert({
      createdAt: new Date(),
      operator: 'anna',
      act: 'player.disable',
      subject,
      note: 'ticket 1',
      before: { disabled_at: null },
      after: { disabled_at: disabledAt.toISOString() },
    });
    // Whoever compares has looked at the player before that.
    await service.app.get(PlayerEditAuditor).check(id, null);
    expect(await audited(subject)).toMatchObject([{ operator: 'anna' }]);
  });

  it('has an account that was disabled by SQL, once it is refused', async () => {
    const { id, account } = await createPlayer(service);
    await login(account, PASSWORD);
    expect(await audited(`player ${id}`)).toEqual([]);
    const disabledAt = new Date('2026-11-15T02:14:00.123Z');
    await service.database.getRepository(Player).update({ id }, { disabledAt });
    for (let n = 0; n < 3; n++) await login(account, PASSWORD);
    await until(async () => (await audited(`player ${id}`)).length > 0);
    expect(await audited(`player ${id}`)).toMatchObject([
      {
        act: 'player.disable',
        operator: 'sql',
        before: { disabled_at: null },
        after: { disabled_at: disabledAt.toISOString() },
      },
    ]);
  });
});
