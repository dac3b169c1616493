import { Reflector } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { Session } from '../../../src/platform/auth/session.entity.js';
import { type Role, ROLES } from '../../../src/operators/actions/operators/operator.entity.js';
import { ROLES_KEY } from '../../../src/operators/desk/http/desk-route.decorator.js';
import { AuditController } from '../../../src/operators/desk/audit/audit.controller.js';
import { DeskChatController } from '../../../src/operators/desk/chat/desk-chat.controller.js';
import { DashboardController } from '../../../src/operators/desk/dashboard/dashboard.controller.js';
import { EventsController } from '../../../src/operators/desk/events/events.controller.js';
import { OperatorsController } from '../../../src/operators/desk/operators/operators.controller.js';
import { PagesModule } from '../../../src/operators/desk/desk.module.js';
import { PlayersController } from '../../../src/operators/desk/players/players.controller.js';
import { RequestsController } from '../../../src/operators/desk/requests/requests.controller.js';
import { WithdrawalsController } from '../../../src/operators/desk/withdrawals/withdrawals.controller.js';
import { DeskServersController } from '../../../src/operators/desk/servers/desk-servers.controller.js';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { createPlayer, addServer } from '../../support/api/factories.js';

let service: TestApp;
let desk: TestDesk;
let users: Record<Role, DeskUser>;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  users = {
    support: await deskUser(desk, 'support'),
    moderator: await deskUser(desk, 'moderator'),
    treasury: await deskUser(desk, 'treasury'),
    admin: await deskUser(desk, 'admin'),
  };
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const EVERYONE = 'support moderator treasury admin';
const HELPERS = 'support moderator admin';
const MODERATORS = 'moderator admin';
const TREASURERS = 'treasury admin';

/** Repeats which roles may call which routes, so that granting a permission requires two changes. */
const TABLE: Array<[controller: { prototype: object }, roles: Record<string, string>]> = [
  [RequestsController, { page: EVERYONE }],
  [DashboardController, { load: EVERYONE }],
  [
    PlayersController,
    {
      find: EVERYONE,
      page: EVERYONE,
      timeline: EVERYONE,
      unlock: HELPERS,
      signOut: HELPERS,
      endSession: HELPERS,
      secure: HELPERS,
      disable: MODERATORS,
      enable: MODERATORS,
      ban: MODERATORS,
      unban: MODERATORS,
      keep: HELPERS,
      rename: MODERATORS,
      setEmail: 'admin',
      setPassword: 'admin',
      unlink: 'admin',
      resetSecondFactor: 'admin',
      close: 'admin',
      export: 'admin',
    },
  ],
  [
    WithdrawalsController,
    {
      find: EVERYONE,
      export: TREASURERS,
      totals: EVERYONE,
      exportTotals: TREASURERS,
      previewTogether: TREASURERS,
      settleTogether: TREASURERS,
      details: EVERYONE,
      settle: TREASURERS,
      cancel: TREASURERS,
      decline: TREASURERS,
      reopen: TREASURERS,
    },
  ],
  [
    DeskServersController,
    {
      list: EVERYONE,
      preview: 'admin',
      setStatus: 'admin',
      add: 'admin',
      cancel: 'admin',
      set: 'admin',
      previewMerge: 'admin',
      merge: 'admin',
    },
  ],
  [DeskChatController, { find: MODERATORS, export: MODERATORS, around: MODERATORS }],
  [
    OperatorsController,
    { list: 'admin', add: 'admin', reset: 'admin', disable: 'admin', enable: 'admin' },
  ],
  [
    EventsController,
    {
      mails: EVERYONE,
      promoters: EVERYONE,
      guesses: EVERYONE,
      block: MODERATORS,
      unblock: MODERATORS,
      refusals: EVERYONE,
      sent: EVERYONE,
      resend: 'admin',
    },
  ],
  [AuditController, { find: 'admin', export: 'admin' }],
];

describe("The desk's pages", () => {
  it('admit exactly the roles that this file lists', () => {
    const reflector = new Reflector();
    const controllers = Reflect.getMetadata('controllers', PagesModule) as object[];
    expect(new Set<object>(TABLE.map(([controller]) => controller))).toEqual(new Set(controllers));
    for (const [{ prototype }, roles] of TABLE) {
      const handlers = Object.getOwnPropertyNames(prototype).filter(
        (name) => name !== 'constructor',
      );
      expect(handlers.toSorted()).toEqual(Object.keys(roles).toSorted());
      for (const name of handlers) {
        const handler = (prototype as Record<string, () => void>)[name]!;
        expect(reflector.get<Role[]>(ROLES_KEY, handler).join(' '), name).toBe(roles[name]);
      }
    }
  });

  it('show no hash, code, token or cookie, and full e-mail addresses only to admins', async () => {
    const account = unique('secret');
    const email = `${account}@mail.example`;
    const { id } = await createPlayer(service, { account, email });
    const login = await service.client.post('/api/login', {
      account: email,
      password: PASSWORD,
      remember: true,
    });
    // A stranger can send a JSON escape followed by this text.
    const guess = await service.client.post(
      '/api/login',
      { account: email, password: 'wrong one' },
      { headers: { 'User-Agent': '\\a@b.cc' } },
    );
    await service.app.get(LoginEventLog).flush();
    await service.database
      .getRepository(PlayerLink)
      .insert({ playerId: id, provider: 'forum', connectId: `c${id}` });
    const codeHash = 'c0de'.repeat(16);
    await service.database.query(
      `INSERT INTO verify (email, code, tries, expires_at) VALUES (?, ?, 0, '2036-01-01 00:00:00.000')`,
      [email, codeHash],
    );
    const server = await addServer(service.database);
    const { id: withdrawal } = await service.database.getRepository(Withdrawal).save({
      playerId: id,
      serverId: server.id,
      roleServerId: server.id,
      roleId: 1,
      roleName: 'hero',
      amount: 100,
      status: 'unknown' as const,
      orderNo: `W-${account}`,
      createdAt: new Date(),
    });
    const note = `Owner asked:\n${email}`;
    await users.admin.post(`/api/players/${id}/set_email`, { note, email: `other.${email}` });
    await users.admin.post(`/api/withdrawals/${withdrawal}/settle`, { outcome: 'failed', note });
    await service.database.query(
      `INSERT INTO chat (server_id, account, content, time) VALUES (?, ?, 'hello', '2026-11-01 10:00:00')`,
      [server.id, account],
    );
    const [chat] = await service.database.query('SELECT MAX(id) AS id FROM chat');

    const player = await service.database
      .getRepository(Player)
      .findOneOrFail({ select: { id: true, password: true }, where: { id } });
    const sessions = await service.database
      .getRepository(Session)
      .createQueryBuilder('s')
      .addSelect(['s.cookieHash', 's.cookieSalt'])
      .where({ playerId: id })
      .getMany();
    const operators: Array<Record<string, string>> = await service.database.query(
      'SELECT o.password, o.totp_secret, s.id FROM operator o JOIN operator_session s ON s.operator_id = o.id',
    );
    const secrets = [
      PASSWORD,
      'wrong one',
      player.password,
      codeHash,
      String(login.body.data.token),
      ...sessions.flatMap(({ cookieHash, cookieSalt }) => [cookieHash, cookieSalt]),
      ...operators.flatMap((row) => Object.values(row)),
      ...ROLES.flatMap((role) => [users[role].cookie.split('=')[1], users[role].token]),
    ].filter((secret) => typeof secret === 'string' && secret.length > 8);
    expect(secrets.length).toBeGreaterThan(20);

    const paths = [
      '/api/now',
      `/api/players?q=${account}`,
      `/api/players?q=${email}`,
      `/api/players/${id}`,
      `/api/players/${id}/timeline`,
      `/api/requests/${guess.headers.get('x-request-id')}`,
      '/api/withdrawals',
      `/api/withdrawals/${withdrawal}`,
      `/api/withdrawals/together?ids=${withdrawal}`,
      '/api/servers',
      '/api/chat',
      `/api/chat/${chat.id}/around`,
      '/api/audit',
      '/api/audit/export',
      '/api/withdrawals/export',
      '/api/chat/export',
      '/api/operators',
    ];
    for (const role of ROLES) {
      let answered = 0;
      for (const path of paths) {
        const { status, text } = await users[role].get(path);
        if (status === 403) continue;
        expect(status, `${path} of ${role}`).toBe(200);
        answered++;
        for (const secret of secrets)
          expect(text.includes(secret as string), `${secret} in ${path} of ${role}`).toBe(false);
        if (role !== 'admin') expect(text, `${path} of ${role}`).not.toContain(email);
      }
      expect(answered).toBe({ support: 9, treasury: 11, moderator: 12, admin: 17 }[role]);
    }
    expect((await users.admin.get(`/api/players/${id}/timeline`)).text).toContain(email);
    const { events } = (await users.support.get(paths.at(5)!)).body.data;
    expect(events).toMatchObject([{ typed: 's•••@mail.example', device: '\\•••@b.cc' }]);
  });
});
