import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { OperatorActions } from '../../../src/operators/actions/operators/operator-actions.js';
import type { InstanceSummary } from '../../../src/operators/desk/responses/dashboard.js';
import { DashboardHealth } from '../../../src/operators/desk/dashboard/dashboard-health.js';
import { DashboardInstances } from '../../../src/operators/desk/dashboard/dashboard-instances.js';
import { DashboardStream } from '../../../src/operators/desk/dashboard/dashboard-stream.js';
import { DashboardService } from '../../../src/operators/desk/dashboard/dashboard.service.js';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity.js';
import { LoginEventLog } from '../../../src/platform/audit/login-event-log.js';
import { WithdrawalEvent } from '../../../src/features/withdraw/record/withdrawal-event.entity.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { type DeskUser, deskUser } from '../../support/api/desk.js';
import { startDesk, type TestDesk } from '../../support/api/desk-access.js';
import { createPlayer, addServer, unique } from '../../support/api/factories.js';
import { freePort } from '../../support/servers/free-port.js';
import { MailServer } from '../../support/servers/smtp.js';
import { until } from '../../support/until.js';

let service: TestApp;
let desk: TestDesk;
let support: DeskUser;
let moderator: DeskUser;
let admin: DeskUser;

beforeAll(async () => {
  service = await startApp({ settings: { day_max_reg: 10 } });
  desk = await startDesk(service);
  support = await deskUser(desk, 'support');
  moderator = await deskUser(desk, 'moderator');
  admin = await deskUser(desk, 'admin');
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const note = 'tonight';
const idsOf = (rows: Array<{ id: number }>) => rows.map(({ id }) => id);
const OTHER_METRICS = `gatehouse_database_up 1
nodejs_eventloop_lag_p99_seconds 0.02
gatehouse_mail_slowest_seconds 7.2
gatehouse_mails_last_hour{which="all"} 9
gatehouse_mails_last_hour{which="failed"} 2
gatehouse_mails_last_hour{which="slow"} 4
`;
const refusedWith = (words: string) => ({
  status: 409,
  body: { error: 'act_refused', message: expect.stringContaining(words) },
});
const serverOf = (id: number) => service.database.getRepository(GameServer).findOneByOrFail({ id });

describe('/api/servers', () => {
  it('shows each row beside what players see of it', async () => {
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

  it('previews, adds and changes a server, each field of its type and no other', async () => {
    const fields = { name: unique('z'), address: 'a.example', port: 7000, status: 'new' };
    const preview = await admin.post('/api/servers/preview', { fields });
    expect(preview.body.data).toMatchObject({ problem: null, seen: { name: fields.name } });
    const bad = await admin.post('/api/servers/preview', {
      fields: { ...fields, address: 'http://a.example/' },
    });
    expect(bad.body.data).toEqual({ problem: expect.stringContaining('address'), seen: null });
    const { body } = await admin.post('/api/servers', { fields, note });
    const { id } = body.data.row;
    const set = (changes: unknown) => admin.post(`/api/servers/${id}`, { fields: changes, note });
    expect((await set({ zone_group: '西部', open_at: '2036-01-01T10:00:00Z' })).body.data).toEqual({
      row: expect.objectContaining({ zone_group: '西部', open_at: '2036-01-01T10:00:00.000Z' }),
    });
    expect((await set({ open_at: null })).body.data.row.open_at).toBeNull();
    expect(await set({ gm_address: 'not a host' })).toMatchObject(refusedWith('gm_address'));
    for (const nonsense of [
      {},
      null,
      [1],
      'name',
      { name: 7 },
      { name: null, port: 7001 },
      { recommended: null, port: 7001 },
      { gm_path: {} },
      { name: 'x'.repeat(65) },
      { port: '7000' },
      { open_at: 'tomorrow' },
      { merged_into: 1, port: 7001 },
      { status: 'opne' },
      { ['__proto__']: 1, constructor: 1 },
    ])
      expect((await set(nonsense)).body.error, JSON.stringify(nonsense)).toBe('invalid_request');
    expect(await set({ id: id + 1, name: 'other' })).toMatchObject(
      refusedWith('cannot be changed'),
    );
    expect(await admin.post('/api/servers', { fields: { ...fields, id }, note })).toMatchObject(
      refusedWith('already'),
    );
    expect((await admin.post('/api/servers/preview', { id: 999_999, fields })).status).toBe(409);
    const acts = await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `server ${id}` }, order: { id: 'ASC' } });
    expect(acts).toMatchObject([
      { act: 'server.add', operator: admin.name, note },
      { act: 'server.set', after: { zone_group: '西部' } },
      { act: 'server.set', after: { open_at: null } },
    ]);
  });

  it('takes many into maintenance at once, with a result for each', async () => {
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

  it('says what has to be done before a merge, and merges', async () => {
    const [from, into] = [await addServer(service.database), await addServer(service.database)];
    const ask = () => admin.get(`/api/servers/${from.id}/merge?into=${into.id}`);
    expect((await ask()).body.data).toMatchObject({
      open: [from, into].map(
        ({ id }) => `server ${id} is normal: it has to be in maintenance first`,
      ),
      problem: null,
    });
    const merge = (other: number) =>
      admin.post(`/api/servers/${from.id}/merge`, { into: other, note });
    expect(await merge(into.id)).toMatchObject(refusedWith('not merged'));
    await admin.post('/api/servers/status', {
      ids: [from.id, into.id],
      status: 'maintenance',
      note,
    });
    expect((await ask()).body.data).toEqual({ open: [], problem: null });
    const itself = await admin.get(`/api/servers/${from.id}/merge?into=${from.id}`);
    expect(itself.body.data.problem).toContain('into itself');
    expect((await merge(into.id)).body.data.row).toMatchObject({ merged_into: into.id });
  });
});

describe('/api/now', () => {
  it('tells how everything stands, and what needs a person', async () => {
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

  it('asks the instance of its host, and does not wait for one that hangs', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const beside = await startDesk(service, { PORT: Number(new URL(service.url).port) });
    const besideSilent = await startDesk(service, { PORT: port });
    const { instances, needs } = await besideSilent.app.get(DashboardService).current();
    // Down only once its five seconds are over.
    expect(instances).toMatchObject([{ state: 'impaired', version: null }]);
    expect(needs.map(({ kind }) => kind)).toContain('instance');
    await until(async () => {
      const [instance] = (await beside.app.get(DashboardHealth).load()).instances;
      return instance?.state === 'up' && instance.version !== null && instance.has_figures;
    });
    await beside.stop();
    await besideSilent.stop();
    silent.close().closeAllConnections();
  });

  it('calls one that hangs down once it has failed, and tells a refusal of metrics from silence', async () => {
    const PORT = await freePort();
    const environment = Object.assign(new Environment(), desk.app.get(Environment), { PORT });
    const instances = new DashboardInstances(environment, desk.app.get(Settings));
    const look = async () => (await instances.load())[0]!;
    expect(await look()).toMatchObject({ state: 'down', figures_refused: false });
    let status = 403;
    const metrics = vi.fn();
    const server = createServer(({ url }, answer) => {
      // Of its health it says nothing.
      if (url !== '/api/metrics') return;
      metrics();
      answer.writeHead(status).end();
    }).listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    const begun = performance.now();
    const clock = vi.spyOn(performance, 'now');
    const after = (seconds: number) => clock.mockReturnValue(begun + seconds * 1000);
    // Both begin at once, each by the clock that it finds.
    const looks = [29, 31].map((seconds) => {
      after(seconds);
      return look();
    });
    const [seen, later] = (await Promise.all(looks)) as [InstanceSummary, InstanceSummary];
    // As its last whole ask ended.
    expect(seen).toMatchObject({ state: 'down', problem_codes: ['no_answer'] });
    // That was more than half a minute ago, and says nothing of now.
    expect(later).toMatchObject({ state: 'impaired', problem_codes: ['too_slow'] });
    expect(seen).toMatchObject({ has_figures: false, figures_refused: true });
    const figures = () => instances['currentMetrics'](seen.address);
    status = 503;
    after(80);
    expect(await figures()).toBe('refused');
    // A refusal is a line in its log.
    expect(metrics).toHaveBeenCalledTimes(1);
    after(95);
    expect(await figures()).toBe('no_answer');
    clock.mockRestore();
    server.close().closeAllConnections();
  });

  it('tells of a fleet which instance is bad, and whether mail fails or is slow', async () => {
    const other = createServer(({ url }, answer) => {
      const ready = { redis: 'down', settings: 'ok', version: '0.1.0' };
      answer.end(url === '/api/metrics' ? OTHER_METRICS : JSON.stringify({ data: ready }));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const mail = await MailServer.start();
    const port = (other.address() as AddressInfo).port;
    const dead = `http://127.0.0.1:${await freePort()}`;
    // No SMTP_URL is set there, so it fails.
    await service.client.post('/api/send_code', { email: `${unique('m')}@mail.example` });
    await service.changeSettings({
      desk: { instances: [service.url, `127.0.0.1:${port}`, dead] },
    });
    const fleet = await startDesk(service, { SMTP_URL: mail.url });
    let now = await fleet.app.get(DashboardService)['load']();
    // On a busy machine one may need more than the second that a page waits.
    await until(async () => {
      const [one, another, gone] = now.instances;
      if (
        one!.has_figures &&
        one!.version &&
        another!.has_figures &&
        another!.version &&
        gone!.state === 'down'
      )
        return true;
      now = await fleet.app.get(DashboardService)['load']();
      return false;
    });
    expect(now.instances).toMatchObject([
      {
        name: service.url.slice(7),
        state: 'up',
        ms: expect.any(Number),
        database: 'up',
        redis: 'off',
        settings: 'ok',
        loop_ms: expect.any(Number),
        mails_last_hour: { all: 1, failed: 1, slow: 0 },
        has_figures: true,
      },
      {
        state: 'impaired',
        version: '0.1.0',
        redis: 'down',
        problem: 'Redis is down',
        problem_codes: ['redis_down'],
        loop_ms: 20,
      },
      {
        address: dead,
        state: 'down',
        problem: 'does not answer: ECONNREFUSED',
        problem_codes: ['no_answer'],
        has_figures: false,
        figures_refused: false,
      },
    ]);
    expect(now.mail).toEqual({
      state: 'failing',
      slowest_mail: 7.2,
      mails_last_hour: { all: 10, failed: 3, slow: 4 },
    });
    expect(now.needs).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'instance', count: 2 }),
        expect.objectContaining({ kind: 'mail_failing', count: 3 }),
        expect.objectContaining({ kind: 'versions_differ' }),
      ]),
    );
    await fleet.stop();
    await service.changeSettings({ desk: { instances: [`127.0.0.1:${port}`] } });
    const slow = await startDesk(service, { SMTP_URL: mail.url });
    // Two that failed may be two mailboxes that do not exist.
    await until(async () => (await slow.app.get(DashboardHealth).load()).mail.state === 'slow');
    await slow.stop();
    await service.changeSettings({ day_max_reg: 10 });
    await mail.stop();
    other.close().closeAllConnections();
  });

  it('tells it live, to many with one look, until the session ends', async () => {
    const live = desk.app.get(DashboardStream);
    const user = await deskUser(desk, 'support');
    const stop = new AbortController();
    const listen = async ({ cookie }: DeskUser, signal?: AbortSignal) => {
      const answer = await fetch(`${desk.url}/api/now/live`, { headers: { cookie }, signal });
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
      return answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    };
    const [mine, theirs] = [await listen(user), await listen(support, stop.signal)];
    for (const reader of [mine, theirs])
      expect((await reader.read()).value).toMatch(/^event: now\ndata: \{"at":.*\}\n\n$/s);
    await desk.app.get(OperatorActions).disable({ by: 'test', note }, user.name);
    // What the timer does every five seconds, done now.
    live['subscribers']['sendToAll']();
    expect((await mine.read()).done).toBe(true);
    expect((await theirs.read()).value).toContain('event: now');
    expect(live['subscribers'].size).toBe(1);
    stop.abort();
    await until(() => live['subscribers'].size === 0 && live['subscribers']['timer'] === undefined);
    expect((await desk.client.get('/api/now/live')).status).toBe(401);
  });
});

describe('/api/requests', () => {
  it('tells what is written down of one request, and of the others that nothing is', async () => {
    const { id, account } = await createPlayer(service);
    const login = { account, password: 'guess' };
    const { headers } = await service.client.post('/api/login', login, { from: '192.0.2.77' });
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
        },
      ],
    });
    const began = Date.parse(body.data.began_at as string);
    expect(Math.abs(Date.parse(body.data.events[0].at as string) - began)).toBeLessThan(10_000);
    const other = { id: 'from-elsewhere', began_at: null, events: [] };
    expect((await find(other.id)).body.data).toEqual(other);
    for (const bad of ['a%20b', '%27', 'x'.repeat(65)]) expect((await find(bad)).status).toBe(404);
  });

  it('shows the newest 50 of an id that a client sends again and again', async () => {
    const { id: playerId } = await createPlayer(service);
    const { id: roleServerId } = await addServer(service.database);
    const request = unique('again');
    const common = {
      playerId,
      serverId: roleServerId,
      roleServerId,
      roleName: 'hero',
      amount: 300,
    };
    const createdAt = new Date();
    const rows = await service.database.getRepository(Withdrawal).save(
      Array.from({ length: 52 }, (_, n) => ({
        ...common,
        roleId: n + 1,
        status: 'failed' as const,
        notedStatus: 'failed' as const,
        createdAt,
      })),
    );
    const ids = idsOf(rows).toSorted((one, other) => one - other);
    await service.database.getRepository(WithdrawalEvent).insert(
      ids.map((withdrawId) => ({
        withdrawId,
        fromStatus: null,
        toStatus: 'created' as const,
        cause: 'request' as const,
        evidence: `player ${playerId}, request ${request}`,
        createdAt,
      })),
    );
    const { events } = (await support.get(`/api/requests/${request}`)).body.data;
    expect(idsOf(events).toSorted((one, other) => one - other)).toEqual(ids.slice(2));
  });
});

describe('/api/chat', () => {
  const say = (lines: Array<[server: number, account: string, text: string, time: string]>) =>
    service.database.query(
      `INSERT INTO chat (server_id, account, role_id, role_name, channel, content, time, reported_by)
        VALUES ${lines.map(() => `(?, ?, 5, 'hero', 'world', ?, ?, '192.0.2.1')`).join()}`,
      lines.flat(),
    );

  it('finds by server, account, time and words, newest first, and shows what was said around', async () => {
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

  it('pages through lines of the same second, and through more than it looks at in one go', async () => {
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
    // Words of one server, of an account, of all servers at a time; and an account within a server.
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
    // With the needle, which came last.
    expect(Number(looked)).toBe(1001);
  });
});

describe('/api/audit', () => {
  it('tells who did what, by subject, person, act and time', async () => {
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
    const csv = await admin.get(`/api/audit/export?format=csv&${span}`);
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-.*\.csv"$/,
    );
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text.split('\r\n')).toHaveLength(7);
    expect(csv.text).toContain(`"${subject}","","{""n"":4}","'=4"\r\n`);
    const json = await admin.get(`/api/audit/export?format=json&${span}`);
    expect(JSON.parse(json.text)).toHaveLength(5);
    const none = 'since=2036-11-08T10:00:00Z';
    expect((await admin.get(`/api/audit/export?format=json&${none}`)).text).toBe('[]\n');
    expect((await admin.get('/api/audit/export?format=xml')).status).toBe(400);
    expect((await find('act=desk.export')).events).toMatchObject([
      { by: admin.name, subject: 'audit', after: { format: 'json' } },
      { by: admin.name },
      { by: admin.name },
    ]);
  });
});
