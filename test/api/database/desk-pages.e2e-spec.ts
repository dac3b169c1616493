import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import {
  AuditEvent,
  LoginEvent,
  MailEvent,
  RefusedRequest,
} from '../../../src/platform/audit/audit.entity.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { RequestEventLog } from '../../../src/platform/audit/request-event-log.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { DeniedAddress } from '../../../src/platform/http/limits/denied-addresses.js';
import { unique } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import { type DeskUser, type StaffedDesk, startStaffedDesk } from '../../support/api/desk.js';
import { createPlayer, addServer, tokenOf } from '../../support/api/factories.js';
import { until } from '../../support/until.js';

let staffed: StaffedDesk;
let service: TestApp;
let support: DeskUser;
let moderator: DeskUser;
let admin: DeskUser;

beforeAll(async () => {
  staffed = await startStaffedDesk({ settings: { day_max_reg: 10 } });
  ({ service, support, moderator, admin } = staffed);
});
afterAll(() => staffed.stop());

const note = 'tonight';
const idsOf = (rows: Array<{ id: number }>) => rows.map(({ id }) => id);
const serverOf = (id: number) => service.database.getRepository(GameServer).findOneByOrFail({ id });

describe('/api/servers', () => {
  it('shows each row together with what players see of it', async () => {
    const open = await addServer(service.database, { group: '东部' });
    const closed = await addServer(service.database, { status: 'closed' });
    const { body } = await support.get('/api/servers');
    const find = (id: number) =>
      body.data.servers.find(({ row }: { row: { id: number } }) => row.id === id);
    expect(find(open.id)).toMatchObject({
      row: { id: open.id, name: open.name, gm_path: '/gm', zone_group: '东部' },
      problem: null,
      seen: { id: open.id, name: open.name, status: 'normal', group: '东部' },
      work: { open: 0, unknown: 0, failed_last_hour: 0 },
    });
    expect(find(closed.id)).toMatchObject({ seen: null });
  });

  it('puts many servers into maintenance and returns a result for each', async () => {
    const [one, two] = [await addServer(service.database), await addServer(service.database)];
    const ids = [one.id, two.id, 999_999];
    const { body } = await admin.post('/api/servers/status', { ids, status: 'maintenance', note });
    expect(body.data.results).toEqual([
      { id: one.id, done: true, problem: null },
      { id: two.id, done: true, problem: null },
      { id: 999_999, done: false, problem: 'there is no server 999999' },
    ]);
    expect(await serverOf(two.id)).toMatchObject({ status: 'maintenance' });
    for (const bad of [[], 'all', [1.5], ['1'], Array.from({ length: 1001 }, (_, n) => n + 1)])
      expect(
        (await admin.post('/api/servers/status', { ids: bad, status: 'maintenance', note })).status,
      ).toBe(400);
  });
});

describe('GET /api/now', () => {
  it('shows the state of every component and what needs attention', async () => {
    await addServer(service.database, { status: 'maintenance' });
    await service.database.query(
      `INSERT INTO login_event (created_at, way, outcome, tries) VALUES
        (?, 'login', 'ok', 1), (?, 'register', 'ok', 1), (?, 'login', 'bad_credentials', 40)`,
      [0, 1, 2].map((minutes) =>
        new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 23).replace('T', ' '),
      ),
    );
    const day = new Date().toISOString().slice(0, 10);
    await service.database.query('INSERT INTO registration_day (day, taken) VALUES (?, 9)', [day]);
    const { body } = await support.get('/api/now');
    const { series, servers, needs, ...rest } = body.data;
    expect(rest).toMatchObject({
      database: { state: 'up', ms: expect.any(Number) },
      redis: { state: 'off' },
      registrations: { today: 9, cap: 10 },
    });
    expect(servers.maintenance).toBeGreaterThan(0);
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    expect(series).toMatchObject({ minutes: 60, step: 5 });
    expect(series.logins).toHaveLength(12);
    expect([series.logins, series.refusals, series.registrations].map(sum)).toEqual([1, 40, 1]);
    expect(needs).toContainEqual({
      kind: 'cap_near',
      text_key: 'needs.cap_near',
      count: 9,
      link: '/',
    });
  });
});

describe('/api/guesses', () => {
  const guess = (account: string, from: string) =>
    service.client.post('/api/login', { account, password: 'guess' }, { from });
  const guesses = async (user = support) => {
    await service.app.get(LoginEventLog).flush();
    return (await user.get('/api/guesses')).body.data;
  };
  const isDenied = async (from: string) =>
    (await service.client.get('/api/server/list', { from })).status === 403;

  it('shows guessing addresses, the attacked accounts and correct guesses', async () => {
    const [victim, other] = [await createPlayer(service), await createPlayer(service)];
    const [thief, owner] = ['198.51.100.40', '198.51.100.41'];
    const [wrong, right] = ['bad_credentials', 'ok'];
    const rows = service.database.getRepository(LoginEvent);
    for (const [playerId, address, outcome, tries] of [
      [victim.id, thief, wrong, 4],
      [other.id, thief, wrong, 1],
      [other.id, owner, wrong, 1],
      [other.id, thief, right, 1],
      [other.id, owner, right, 1],
    ] as const) {
      const event = { way: 'login' as const, account: 'owner@mail.example', createdAt: new Date() };
      await rows.insert({ ...event, playerId, address, outcome, tries });
    }
    const { addresses, accounts, sign_ins, may_block } = await guesses();
    expect(addresses.groups).toContainEqual(
      expect.objectContaining({ address: thief, tries: 5, players: 2, blocked_until: null }),
    );
    expect(accounts.groups).toContainEqual(
      expect.objectContaining({ player: other.id, tries: 2, addresses: 2 }),
    );
    expect(addresses.total).toBe(addresses.groups.length);
    const mine = sign_ins.signIns.filter(({ player }: { player: number }) => player === other.id);
    expect(mine).toMatchObject([
      { address: thief, tries: 5, account: expect.stringContaining('•••@') },
    ]);
    expect(may_block).toBe(false);
  });

  it('blocks an address or an IPv6 network on the service for some hours, and unblocks it', async () => {
    const { account } = await createPlayer(service);
    const [four, six] = ['198.51.100.50', '2001:db8:7:1::50'];
    for (const from of [four, six]) await guess(account, from);
    const block = { note, hours: 1 };
    expect((await support.post('/api/addresses/block', { ...block, address: four })).status).toBe(
      403,
    );
    for (const address of ['127.0.0.1', '::1', '::2', 'everybody', '203.0.113.0/24'])
      expect((await moderator.post('/api/addresses/block', { ...block, address })).body.error).toBe(
        'act_refused',
      );
    for (const address of [four, six])
      expect((await moderator.post('/api/addresses/block', { ...block, address })).status).toBe(
        200,
      );
    await until(() => isDenied(four));
    await until(() => isDenied('2001:db8:7:1::51'));
    expect(await isDenied('2001:db8:7:2::50')).toBe(false);
    const { addresses, blocked } = await guesses(moderator);
    for (const address of [four, six])
      expect(addresses.groups).toContainEqual(
        expect.objectContaining({ address, blocked_until: expect.any(String) }),
      );
    expect(blocked).toContainEqual(
      expect.objectContaining({ address: four, note, by: moderator.name }),
    );
    const events = service.database.getRepository(AuditEvent);
    expect(await events.findOneByOrFail({ subject: `address ${four}` })).toMatchObject({
      act: 'address.block',
      operator: moderator.name,
      note,
    });

    const rows = service.database.getRepository(DeniedAddress);
    await rows.update({ address: four }, { until: new Date(Date.now() - 1) });
    await until(async () => !(await isDenied(four)));
    const [{ address: network }] = (await guesses(moderator)).blocked;
    expect(
      (await moderator.post('/api/addresses/unblock', { note, address: network })).status,
    ).toBe(200);
    await until(async () => !(await isDenied(six)));
    expect((await guesses(moderator)).blocked).toEqual([]);
    const again = await moderator.post('/api/addresses/unblock', { note, address: network });
    expect(again.body.error).toBe('act_refused');
  });
});

describe('GET /api/refusals', () => {
  it('shows why requests from game servers were refused, and on demand those from players', async () => {
    const row = { playerId: null, method: 'GET', path: '/api/link', address: '192.0.2.77' };
    const refused = { ...row, error: 'caller_not_allowed', requestId: unique('r') };
    const reason = 'signature wrong: the path lacks the query';
    const [now, then] = [new Date(), new Date(Date.now() - 7_200_000)];
    const rows = service.database.getRepository(RefusedRequest);
    for (const createdAt of [now, then])
      await rows.insert({ ...refused, createdAt, reason, signedText: '1\nGET' });
    const player = { ...refused, error: 'insufficient_balance', reason: null, signedText: null };
    await rows.insert({ ...player, createdAt: now });
    const found = async (query: string) => {
      const { body } = await support.get(`/api/refusals${query}`);
      const { refusals } = body.data as { refusals: Array<{ request_id: string }> };
      return refusals.filter(({ request_id: id }) => id === refused.requestId);
    };
    expect(await found('')).toMatchObject([
      { request: 'GET /api/link', reason, signed_text: '1\nGET', address: '192.0.2.77' },
    ]);
    expect(await found(`?since=${then.toISOString()}`)).toHaveLength(2);
    expect(await found('?senders=all')).toHaveLength(2);
    expect((await support.get('/api/refusals?senders=players')).status).toBe(400);
  });
});

describe('GET /api/mails', () => {
  it('shows the e-mails of the chosen period by domain', async () => {
    const row = { playerId: null, kind: 'code', mailbox: 'b•••@page.example', ms: 40, reply: null };
    const [now, then] = [new Date(), new Date(Date.now() - 7_200_000)];
    const rows = service.database.getRepository(MailEvent);
    for (const createdAt of [now, then]) await rows.insert({ ...row, outcome: 'sent', createdAt });
    const sentSince = async (since: string) => {
      const { body } = await support.get(`/api/mails${since}`);
      const { domains } = body.data as { domains: Array<{ domain: string; sent: number }> };
      return domains.find(({ domain }) => domain === 'page.example')?.sent;
    };
    expect(await sentSince('')).toBe(1);
    expect(await sentSince(`?since=${then.toISOString()}`)).toBe(2);
    expect((await support.get('/api/mails?since=yesterday')).status).toBe(400);
  });
});

describe('GET /api/requests/:id', () => {
  it("shows a request's events, and none for an unknown id", async () => {
    const { id, account } = await createPlayer(service);
    const login = { account, password: 'guess' };
    const { headers } = await service.client.post('/api/login', login, {
      from: '192.0.2.77',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.1 Safari/537.36' },
    });
    await service.app.get(LoginEventLog).flush();
    const find = (request: string) => support.get(`/api/requests/${request}`);
    const request = headers.get('x-request-id')!;
    const { body } = await find(request);
    expect(body.data).toMatchObject({
      id: request,
      events: [
        {
          kind: 'login',
          way: 'login',
          outcome: 'bad_credentials',
          player_id: id,
          typed: account,
          address: '192.0.2.77',
          device: 'desktop',
          os: 'Linux',
          browse: 'Chrome 130.0.1',
        },
      ],
    });
    const began = Date.parse(body.data.began_at as string);
    expect(Math.abs(Date.parse(body.data.events[0].at as string) - began)).toBeLessThan(10_000);
    const other = { id: 'from-elsewhere', began_at: null, events: [] };
    expect((await find(other.id)).body.data).toEqual(other);
    for (const bad of ['a%20b', '%27', 'x'.repeat(65)]) expect((await find(bad)).status).toBe(404);
  });

  it("shows why a player's request was rejected, even if the id is typed in lower case", async () => {
    const player = await createPlayer(service);
    const order = { server_id: 999_999, role_id: 1, amount: 100 };
    const token = tokenOf(service, player);
    const { body } = await service.client.post('/api/game/withdraw', order, { token });
    const find = async () => {
      await service.app.get(RequestEventLog).flush();
      const found = await support.get(`/api/requests/${body.request_id.toLowerCase()}`);
      return found.body.data;
    };
    await until(async () => (await find()).events.length > 0);
    const refusal = {
      kind: 'refusal',
      player_id: player.id,
      request: 'POST /api/game/withdraw',
      outcome: 'server_not_found',
    };
    expect(await find()).toMatchObject({ id: body.request_id, events: [refusal] });
  });

  it('shows the newest 50 events of a request id that a client reuses', async () => {
    const { id: playerId } = await createPlayer(service);
    const { id: roleServerId } = await addServer(service.database);
    const request = unique('again');
    const common = {
      playerId,
      serverId: roleServerId,
      roleServerId,
      roleName: 'hero',
      amount: 300,
      requestId: request,
      createdAt: new Date(),
    };
    const rows = await service.database.getRepository(Withdrawal).save(
      Array.from({ length: 52 }, (_, n) => ({
        ...common,
        roleId: n + 1,
        status: 'failed' as const,
      })),
    );
    const ids = idsOf(rows).toSorted((one, other) => one - other);
    const { events } = (await support.get(`/api/requests/${request}`)).body.data;
    expect(idsOf(events).toSorted((one, other) => one - other)).toEqual(ids.slice(2));
  });
});

describe('GET /api/chat', () => {
  const say = (lines: Array<[server: number, account: string, text: string, time: string]>) =>
    service.database.query(
      `INSERT INTO chat (server_id, account, role_id, role_name, channel, content, time, reported_by)
        VALUES ${lines.map(() => `(?, ?, 5, 'hero', 'world', ?, ?, '192.0.2.1')`).join()}`,
      lines.flat(),
    );

  it("searches by server, account, time and words, and shows a line's context", async () => {
    const time = (n: number) => `2026-11-05 10:00:${String(n).padStart(2, '0')}`;
    await say(
      Array.from({ length: 50 }, (_, n) => [
        901,
        n % 2 ? 'anna' : 'bert',
        `line ${n} 100% <b>`,
        time(n),
      ]),
    );
    await say([[902, 'anna', 'elsewhere', time(25)]]);
    const find = async (query: string) => (await moderator.get(`/api/chat?${query}`)).body.data;
    const { lines } = await find('server=901&words=LINE%2025');
    expect(lines).toMatchObject([
      {
        server_id: 901,
        account: 'anna',
        role: 'hero',
        text: 'line 25 100% <b>',
        reporter: '192.0.2.1',
      },
    ]);
    expect(lines[0].at).toBe('2026-11-05T10:00:25.000Z');
    expect((await find('account=anna&limit=100')).lines).toHaveLength(26);
    expect((await find('server=901&words=100%25&limit=100')).lines).toHaveLength(50);
    expect((await find('server=901&words=1%25')).lines).toEqual([]);
    const span = 'since=2026-11-05T10:00:10Z&until=2026-11-05T10:00:20Z';
    expect((await find(`server=901&${span}`)).lines).toHaveLength(10);
    expect((await find(`words=line&${span}`)).lines).toHaveLength(10);
    const around = (await moderator.get(`/api/chat/${lines[0].id}/around`)).body.data;
    expect(around.lines).toHaveLength(41);
    expect(around.lines[20].id).toBe(lines[0].id);
    expect(around.lines.map(({ text }: { text: string }) => Number(text.split(' ')[1]))).toEqual(
      Array.from({ length: 41 }, (_, n) => n + 5),
    );
    expect((await moderator.get('/api/chat/999999999999/around')).body.error).toBe('not_found');
  });

  it('pages through lines of the same second and beyond its scan limit', async () => {
    await say(Array.from({ length: 7 }, (_, n) => [903, 'a', `s${n}`, '2026-11-06 10:00:00']));
    const found: number[] = [];
    for (let next: number | null | undefined; next !== null;) {
      const more: string = next === undefined ? '' : `&before=${next}`;
      const { body } = await moderator.get(`/api/chat?server=903&limit=3${more}`);
      found.push(...idsOf(body.data.lines));
      next = body.data.next as number | null;
    }
    expect(found).toEqual([...new Set(found)].toSorted((one, other) => other - one));
    expect(found).toHaveLength(7);
    for (let n = 0; n < 5; n++)
      await say(Array.from({ length: 1000 }, () => [904, 'a', 'x', '2026-11-07 10:00:00']));
    await say([[904, 'a', 'needle', '2026-11-01 10:00:00']]);
    await say([[905, 'a', 'elsewhere', '2026-11-01 10:00:00']]);
    for (const query of [
      'server=904&words=needle',
      'account=a&words=needle',
      'words=needle&until=2026-11-08T00:00:00Z',
      'server=905&account=a',
    ]) {
      const pages: Array<{ lines: unknown; next: string | null; searched_to: unknown }> = [];
      for (let next: string | null = ''; next !== null; next = pages.at(-1)!.next) {
        const more: string = next && `&before=${next}`;
        pages.push((await moderator.get(`/api/chat?${query}${more}`)).body.data);
      }
      expect(pages.length, query).toBeGreaterThan(1);
      expect(pages[0], query).toMatchObject({
        lines: [],
        next: expect.any(Number),
        searched_to: '2026-11-07T10:00:00.000Z',
      });
      const text = query.includes('words') ? 'needle' : 'elsewhere';
      expect(
        pages.flatMap(({ lines }) => lines),
        query,
      ).toMatchObject([{ text }]);
      expect(pages.at(-1), query).toMatchObject({ searched_to: null });
    }
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 101));
    const late = (await moderator.get('/api/chat?server=904&words=needle')).body.data;
    now.mockRestore();
    const sql = 'SELECT COUNT(*) AS looked FROM chat WHERE server_id = 904 AND id >= ?';
    const [{ looked }] = await service.database.query(sql, [late.next]);
    // The count includes the line that contains the word, which was inserted last.
    expect(Number(looked)).toBe(1001);
  });
});

describe('GET /api/audit', () => {
  it('finds actions on a player by name or id', async () => {
    const account = unique('王');
    const player = await service.database.getRepository(Player).save({ account, password: '-' });
    const act = { operator: 'anna', act: 'player.ban', before: null, after: null, note: account };
    const event = { ...act, subject: `player ${player.id}`, createdAt: new Date() };
    await service.database.getRepository(AuditEvent).insert(event);
    for (const text of [account, ` ${account.toUpperCase()}`, `id:${player.id}`, event.subject]) {
      const query = `subject=${encodeURIComponent(text)}&act=player.ban`;
      const { events } = (await admin.get(`/api/audit?${query}`)).body.data;
      expect(events, text).toMatchObject([{ note: account }]);
    }
  });

  it('filters by subject, operator, action and time, and exports the result', async () => {
    const subject = unique('subject');
    const rows = Array.from({ length: 5 }, (_, n) => ({
      createdAt: new Date('2026-11-08T10:00:00.000Z'),
      operator: n % 2 ? 'anna' : 'bert',
      act: 'test.act',
      subject,
      note: `=${n}`,
      before: null,
      after: { n },
    }));
    await service.database.getRepository(AuditEvent).insert(rows);
    const find = async (query: string) => (await admin.get(`/api/audit?${query}`)).body.data;
    const first = await find(`subject=${subject}&limit=3`);
    const second = await find(`subject=${subject}&limit=3&before=${first.next}`);
    const notes = [...first.events, ...second.events].map((event: { note: string }) => event.note);
    expect(notes).toEqual(['=4', '=3', '=2', '=1', '=0']);
    expect(second.next).toBeNull();
    expect((await find('by=anna&act=test.act')).events).toHaveLength(2);
    expect((await find(`subject=${subject}&since=2026-11-08T10:00:00.001Z`)).events).toEqual([]);
    expect(first.events[0]).toMatchObject({
      by: 'bert',
      act: 'test.act',
      subject,
      after: { n: 4 },
    });

    const span = 'since=2026-11-08T10:00:00Z&until=2026-11-08T10:00:01Z';
    const csv = await admin.get(`/api/audit/export?${span}`);
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-.*\.csv"$/,
    );
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text.split('\r\n')).toHaveLength(7);
    expect(csv.text).toContain(`${subject},,"{""n"":4}",'=4\r\n`);
    expect((await find('act=desk.export')).events).toMatchObject([
      { by: admin.name, subject: 'audit', after: { since: '2026-11-08T10:00:00Z' } },
    ]);
  });
});
