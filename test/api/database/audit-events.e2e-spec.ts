import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { ForumTickets } from '../../../src/features/forum-auth/forum-tickets.js';
import { AuditChecks } from '../../../src/operators/cli/check/database-checks.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { ServerActions } from '../../../src/operators/actions/servers/server-actions.js';
import { ServerWithdrawalStats } from '../../../src/operators/actions/servers/server-withdrawal-stats.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { AuditEvent, LoginEvent } from '../../../src/platform/audit/audit.entity.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { SqlEditsService } from '../../../src/platform/audit/sql-edits.service.js';
import { ServerSqlEdits } from '../../../src/features/servers/server-sql-edits.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { WithdrawalSweeper } from '../../../src/features/withdraw/withdrawal-sweeper.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { captureLog } from '../../support/api/captured-log.js';
import { createPlayer, addServer } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import { register, registrationForm, WRONG_CODE } from '../../support/api/registration.js';

let service: TestApp;

beforeAll(async () => {
  const forum = 'https://forum.example/';
  service = await startApp({
    env: {
      FORUM_AUTHORIZE_URL: forum,
      FORUM_TOKEN_URL: forum,
      FORUM_USERINFO_URL: forum,
      FORUM_CLIENT_ID: 'gatehouse',
      FORUM_CLIENT_SECRET: 'secret-of-the-forum',
    },
  });
});
afterAll(() => service.stop());

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

describe('The login_event table', () => {
  it("records each sign-in's player, address, device and outcome", async () => {
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
    expect(Math.abs(Date.now() - events[0]!.createdAt.getTime())).toBeLessThan(600_000);
  });

  it('omits unknown names, which may be passwords, and requests that are not sign-ins', async () => {
    await login(unique('nobody'), 'x', '192.0.2.9');
    await service.client.post('/api/login', { account: 7 }, { from: '192.0.2.9' });
    expect(await eventsOf({ address: '192.0.2.9' })).toMatchObject([
      { playerId: null, account: null, outcome: 'bad_credentials', sessionId: null },
    ]);
  });

  it('records registrations, resets and forum logins', async () => {
    const { id: server_id } = await addServer(service.database);
    const from = '192.0.2.30';
    const form = await registrationForm(service, server_id);
    const { account, email } = form;
    await register(service, { ...form, device: 'Phone', os: 'iOS' }, '', from);
    const reset = { account, email, code: WRONG_CODE, password: 'another one' };
    await service.client.post('/api/reset_password', reset, { from });
    const ticket = service.app.get(ForumTickets).issue(unique('person'));
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

  it('aggregates failed guesses and records every successful parallel login', async () => {
    const { id, account } = await createPlayer(service);
    await inParallel(() => login(account, 'guess', '192.0.2.77'));
    // The guesses have two outcomes, and a one-minute aggregation interval may end during the test.
    expect((await eventsOf({ playerId: id })).length).toBeLessThanOrEqual(4);
    const many = await inParallel(() => createPlayer(service));
    await inParallel((index) => login(many[index]!.account, PASSWORD));
    for (const player of many)
      expect(await eventsOf({ playerId: player.id })).toMatchObject([{ outcome: 'ok' }]);
  });

  it('has its rows deleted after retention_days, even if they fill more than one batch', async () => {
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

describe('The audit_event table', () => {
  const audited = (subject: string) =>
    service.database.getRepository(AuditEvent).find({ where: { subject }, order: { id: 'ASC' } });

  it('records each SQL edit of a server once, however many instances notice it', async () => {
    const servers = service.database.getRepository(GameServer);
    const { id } = await addServer(service.database);
    const recorders = Array.from({ length: 4 }, () => {
      const recorder = new SqlEditsService();
      recorder.register('servers', new ServerSqlEdits(servers, service.app.get(AuditLog)));
      return recorder;
    });
    const audit = () => Promise.all(recorders.map((recorder) => recorder.recordAll()));
    await audit();
    for (const status of ['maintenance', 'normal', 'maintenance'] as const) {
      await service.database.query('UPDATE server SET status = ? WHERE id = ?', [status, id]);
      await audit();
      await audit();
    }
    await servers.delete({ id });
    await audit();
    expect(await audited(`server ${id}`)).toMatchObject([
      { act: 'server.add', operator: 'sql', before: null, after: { id, status: 'normal' } },
      { act: 'server.set', before: { status: 'normal' }, after: { status: 'maintenance' } },
      { act: 'server.set', before: { status: 'maintenance' }, after: { status: 'normal' } },
      { act: 'server.set', before: { status: 'normal' }, after: { status: 'maintenance' } },
      { act: 'server.remove', before: { id, status: 'maintenance' }, after: null },
    ]);
  });

  it("distinguishes operators' changes from SQL edits", async () => {
    const audit = service.app.get(AuditLog);
    const { database, app } = service;
    const { id } = await addServer(database);
    const who = { by: 'anna', note: 'launch' };
    const edits = new ServerSqlEdits(database.getRepository(GameServer), audit);
    const acts = new ServerActions(
      database,
      app.get(Environment),
      app.get(Settings),
      audit,
      new ServerWithdrawalStats(database),
      edits,
    );
    for (const fields of [{ recommended: true }, { recommended: false, group: '西部' }]) {
      await acts.update(who, id, fields);
      const found = (await edits.findEdits()).map(({ action }) => action.subject);
      expect(found).not.toContain(`server ${id}`);
    }
    // No sweep ran between the two edits.
    await database.query('UPDATE server SET port = 7777 WHERE id = ?', [id]);
    await acts.update(who, id, { sort: 9 });
    expect((await audited(`server ${id}`)).slice(-2)).toMatchObject([
      { operator: 'sql', act: 'server.set', after: { port: 7777 } },
      { operator: 'anna', before: { port: 7777 }, after: { port: 7777, sort: 9 } },
    ]);
    // Another program may have stored the state in this format.
    const last = (await audited(`server ${id}`)).at(-1)!;
    const after = { ...last.after, recommended: 0 };
    await database.getRepository(AuditEvent).update({ id: last.id }, { after });
    const found = (await edits.findEdits()).map(({ action }) => action.subject);
    expect(found).not.toContain(`server ${id}`);
  });

  it('records an SQL edit of a server during the next sweep', async () => {
    const { id } = await addServer(service.database);
    const { job } = service.app.get(WithdrawalSweeper);
    await job.running;
    await job.run();
    expect(await audited(`server ${id}`)).toMatchObject([{ act: 'server.add', operator: 'sql' }]);
  });

  it("is copied to the log with each row's id", async () => {
    const subject = `player ${unique('9')}`;
    const action = { act: 'player.disable', subject, before: null, after: null };
    const audit = service.app.get(AuditLog);
    const log = captureLog();
    await audit.write(service.database.manager, { by: 'anna', note: 'ticket 7' }, action);
    await audit.writeView('anna', subject);
    log.release();
    const events = await audited(subject);
    expect(events).toHaveLength(2);
    for (const { id, act } of events)
      expect(log.text).toContain(`audit_event ${id}: anna ${act} ${subject}`);
  });

  it('is copied to the log once, after the commit, even if the transaction is retried', async () => {
    const audit = service.app.get(AuditLog);
    const [kept, undone] = [`player ${unique('9')}`, `player ${unique('9')}`];
    const write = (manager: EntityManager, subject: string) => {
      const action = { act: 'player.disable', subject, before: null, after: null };
      return audit.write(manager, { by: 'anna', note: 'ticket 7' }, action);
    };
    const log = captureLog();
    let tries = 0;
    await inTransaction(service.database, async (manager) => {
      await write(manager, kept);
      if (++tries === 1) throw Object.assign(new Error('deadlock'), { errno: 1213 });
    });
    const failing = inTransaction(service.database, async (manager) => {
      await write(manager, undone);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    log.release();
    expect(await audited(kept)).toHaveLength(1);
    expect(log.text.split(`anna player.disable ${kept}`)).toHaveLength(2);
    expect(log.text).not.toContain(undone);
  });

  it('is copied to the log once for each action of another process', async () => {
    const edits = service.app.get(SqlEditsService);
    await edits.recordAll();
    const command = new AuditLog(service.database);
    const subject = `player ${unique('9')}`;
    const action = { act: 'player.ban', subject, before: null, after: null };
    const log = captureLog();
    await command.write(service.database.manager, { by: 'anna', note: 'ticket 7' }, action);
    await edits.recordAll();
    await edits.recordAll();
    log.release();
    // The first log line comes from the command itself, whose output a real deployment does not collect.
    expect(log.text.split(`: anna player.ban ${subject}`)).toHaveLength(3);
  });

  it('makes gatehouse check report its deleted rows', async () => {
    const checks = new AuditChecks(service.database);
    const audit = service.app.get(AuditLog);
    const write = async () => {
      const subject = `player ${unique('9')}`;
      await audit.writeView('anna', subject);
      // A repeated view is not stored and must not use up an id.
      await audit.writeView('anna', subject);
      return (await audited(subject))[0]!;
    };
    const [, second] = [await write(), await write(), await write()];
    const missing = async () =>
      / are missing in audit_event: ([\d, ]+)\./.exec((await checks.run())[0]!.text)?.[1];
    const before = (await missing())?.split(', ') ?? [];
    await service.database.getRepository(AuditEvent).delete({ id: second.id });
    expect(await missing()).toBe([second.id, ...before].join(', '));
  });
});
