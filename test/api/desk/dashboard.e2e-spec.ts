import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MailEvent } from '../../../src/platform/audit/audit.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { DashboardInstances } from '../../../src/operators/desk/dashboard/dashboard-instances.js';
import { DashboardService } from '../../../src/operators/desk/dashboard/dashboard.service.js';
import { ApprovalRequest } from '../../../src/operators/actions/four-eyes/four-eyes.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { addServer, createPlayer } from '../../support/api/factories.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { freePort } from '../../support/servers/free-port.js';
import { MailServer } from '../../support/servers/smtp.js';
import { until } from '../../support/until.js';

let service: TestApp;
let desk: TestDesk;

beforeAll(async () => {
  service = await startApp({ settings: { day_max_reg: 10 } });
  desk = await startDesk(service);
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const note = 'tonight';
const OTHER_METRICS = `gatehouse_database_up 1
nodejs_eventloop_lag_p99_seconds 0.02
gatehouse_event_loop_slow 1
gatehouse_mail_slowest_seconds 7.2
gatehouse_mail_slow 1
gatehouse_mails_last_10_minutes{outcome="taken",reply="250"} 7
gatehouse_mails_last_10_minutes{outcome="failed",reply="451"} 2
`;

describe('GET /api/now', () => {
  it('queries the local instance and does not wait for a hanging one', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const beside = await startDesk(service, { PORT: Number(new URL(service.url).port) });
    const besideSilent = await startDesk(service, { PORT: port });
    const look = () => besideSilent.app.get(DashboardService)['load']();
    const kindsOf = ({ needs }: Awaited<ReturnType<typeof look>>) => needs.map(({ kind }) => kind);
    // The two checks run in parallel, because the instance counts as down after five seconds.
    const [first, second] = await Promise.all([look(), look()]);
    // On a busy machine, a delay in the desk itself may cause a single late response.
    expect(first.instances).toMatchObject([{ state: 'unknown', problem_codes: [] }]);
    expect(kindsOf(first)).not.toContain('instance');
    expect(second.instances).toMatchObject([{ state: 'impaired', problem_codes: ['too_slow'] }]);
    expect(kindsOf(second)).toContain('instance');
    await until(async () => {
      const [instance] = (await beside.app.get(DashboardService)['load']()).instances;
      return instance?.state === 'up' && instance.version !== null && instance.has_figures;
    });
    await beside.stop();
    await besideSilent.stop();
    silent.close().closeAllConnections();
  });

  it('marks a hanging instance as down and distinguishes rejected metrics from a missing response', async () => {
    const PORT = await freePort();
    const environment = Object.assign(new Environment(), desk.app.get(Environment), { PORT });
    const instances = new DashboardInstances(environment, desk.app.get(Settings));
    const look = async () => (await instances.load())[0]!;
    expect(await look()).toMatchObject({ state: 'down', figures_refused: false });
    let status = 403;
    const metrics = vi.fn();
    const server = createServer(({ url }, answer) => {
      // Health checks never get a response.
      if (url !== '/api/metrics') return;
      metrics();
      answer.writeHead(status).end();
    }).listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    const begun = performance.now();
    const clock = vi.spyOn(performance, 'now');
    const after = (seconds: number) => clock.mockReturnValue(begun + seconds * 1000);
    after(29);
    const seen = await look();
    // The state is the result of the last complete check.
    expect(seen).toMatchObject({ state: 'down', problem_codes: ['no_answer'] });
    expect(seen).toMatchObject({ has_figures: false, figures_refused: true });
    const figures = async () => (await instances['metrics'].current(seen.address)).answer;
    status = 503;
    after(80);
    expect(await figures()).toBe('refused');
    // Each rejected metrics request is logged as one line, so it must not be repeated.
    expect(metrics).toHaveBeenCalledTimes(1);
    after(95);
    expect(await figures()).toBe('no_answer');
    clock.mockRestore();
    server.close().closeAllConnections();
  });

  it('shows which instance of a fleet is impaired or slow, and whether mail is failing or slow', async () => {
    const other = createServer(({ url }, answer) => {
      const ready = { redis: 'down', settings: 'ok', version: '0.1.0' };
      answer.end(url === '/api/metrics' ? OTHER_METRICS : JSON.stringify({ data: ready }));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const mail = await MailServer.start();
    const port = (other.address() as AddressInfo).port;
    const dead = `http://127.0.0.1:${await freePort()}`;
    // The e-mail fails because SMTP_URL is not set for this instance.
    await service.client.post('/api/send_code', { email: `${unique('m')}@mail.example` });
    await service.changeSettings({
      desk: { instances: [service.url, `127.0.0.1:${port}`, dead] },
    });
    const fleet = await startDesk(service, { SMTP_URL: mail.url });
    let now = await fleet.app.get(DashboardService)['load']();
    // On a busy machine an instance may exceed the page's one-second timeout.
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
        mails_last_10_minutes: { taken: 0, failed: { none: 1 } },
        has_figures: true,
      },
      {
        state: 'impaired',
        version: '0.1.0',
        redis: 'down',
        problem: 'Redis is down, its event loop lags by half a second or more',
        problem_codes: ['redis_down', 'overloaded'],
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
      mails_last_10_minutes: { taken: 7, failed: { none: 1, 451: 2 } },
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
    // Two failures may be caused by two e-mail addresses that do not exist.
    const seen = () => slow.app.get(DashboardService)['load']();
    await until(async () => (await seen()).mail.state === 'slow');
    const mailTo = (mailbox: string, ms: number) => ({
      playerId: null,
      kind: 'code',
      outcome: 'sent' as const,
      reply: null,
      createdAt: new Date(),
      mailbox,
      ms,
    });
    await service.database
      .getRepository(MailEvent)
      .insert([mailTo('a•••@fast.example', 40), mailTo('b•••@slow.example', 5500)]);
    expect((await seen()).needs).toContainEqual(
      expect.objectContaining({ kind: 'mail_slow', about: 'slow.example' }),
    );
    const user = await deskUser(slow, 'support');
    const { domains } = (await user.get('/api/mails')).body.data;
    expect(domains).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ domain: 'fast.example', is_slow: false }),
        expect.objectContaining({ domain: 'slow.example', is_slow: true }),
      ]),
    );
    await slow.stop();
    await service.changeSettings({ day_max_reg: 10 });
    await mail.stop();
    other.close().closeAllConnections();
  });

  it('counts a withdrawal with an unknown outcome once, whatever else it affects', async () => {
    const { id: serverId } = await addServer(service.database);
    const { id: playerId } = await createPlayer(service);
    const order = { playerId, serverId, roleServerId: serverId, roleId: 1, roleName: 'hero' };
    const { id: targetId, orderNo } = await service.database.getRepository(Withdrawal).save({
      ...order,
      amount: 9,
      status: 'unknown' as const,
      orderNo: unique('W'),
      createdAt: new Date(),
      sentAt: new Date(),
    });
    const needs = async () => {
      const now = await desk.app.get(DashboardService)['load']();
      const about = ['unknown_withdrawal', 'settle_waits', 'server_failing'];
      return now.needs.map(({ kind }) => kind).filter((kind) => about.includes(kind));
    };
    expect(await needs()).toEqual(['unknown_withdrawal']);
    const request = { kind: 'withdrawal' as const, targetId, orderNo, operator: 'anna' };
    await service.database
      .getRepository(ApprovalRequest)
      .insert({ ...request, proposal: 'failed', note, createdAt: new Date() });
    expect(await needs()).toEqual(['settle_waits']);
    const user = await deskUser(desk, 'support');
    const another = { ...order, roleId: 2, amount: 9, createdAt: new Date(), sentAt: new Date() };
    await service.database
      .getRepository(Withdrawal)
      .save({ ...another, status: 'unknown' as const, orderNo: unique('W') });
    const now = await desk.app.get(DashboardService)['load']();
    const { link } = now.needs.find(({ kind }) => kind === 'settle_waits')!;
    const { body } = await user.get(`/api${link}`);
    expect(body.data.withdrawals).toMatchObject([{ id: targetId }]);
  });

  it('lists server changes that wait for a second admin', async () => {
    const request = { kind: 'server' as const, targetId: 7, orderNo: '', operator: 'anna' };
    await service.database
      .getRepository(ApprovalRequest)
      .insert({ ...request, proposal: '{}', note, createdAt: new Date() });
    const { needs } = await desk.app.get(DashboardService)['load']();
    expect(needs).toContainEqual(
      expect.objectContaining({ kind: 'server_waits', count: 1, link: '/servers' }),
    );
  });

  it('counts a server as failing only if it caused the failures, and shows the same number everywhere', async () => {
    const { id: playerId } = await createPlayer(service);
    const addFailed = async (reason: Withdrawal['reason']) => {
      const { id: serverId } = await addServer(service.database);
      const order = { playerId, serverId, roleServerId: serverId, roleName: 'hero', amount: 9 };
      const rows = [1, 2, 3].map((roleId) => ({
        ...order,
        roleId,
        reason,
        status: 'failed' as const,
        orderNo: unique('W'),
        createdAt: new Date(),
        settledAt: new Date(),
      }));
      await service.database.getRepository(Withdrawal).insert(rows);
      return serverId;
    };
    const broken = await addFailed('game_server_unavailable');
    await addFailed(null);
    await addFailed('service_unavailable');
    const { servers, needs } = await desk.app.get(DashboardService)['load']();
    expect(servers.failing).toMatchObject([{ id: broken, failed_last_hour: 3 }]);
    expect(needs.find(({ kind }) => kind === 'server_failing')).toMatchObject({ count: 1 });
  });
});
