import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LoginThrottle, throttleSubject } from '../../../src/features/accounts/login-throttle.js';
import { OperatorActions } from '../../../src/operators/actions/operators/operator-actions.js';
import { OperatorSession } from '../../../src/operators/actions/operators/operator-session.entity.js';
import { OperatorSessions } from '../../../src/operators/actions/operators/operator-sessions.js';
import type { EventStream } from '../../../src/operators/desk/live/event-stream.js';
import { PlayerStream } from '../../../src/operators/desk/players/player-stream.js';
import { PlayersService } from '../../../src/operators/desk/players/players.service.js';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity.js';
import { LoginEvent } from '../../../src/platform/audit/login-event.entity.js';
import { MailEventLog } from '../../../src/platform/audit/mail-event-log.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { MailServer } from '../../support/servers/smtp.js';
import { until } from '../../support/until.js';

let mail: MailServer;
let service: TestApp;
let desk: TestDesk;
let support: DeskUser;
let lastAddress = 0;

beforeAll(async () => {
  mail = await MailServer.start({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('full') ? new Error('no room') : null),
  });
  service = await startApp({
    env: { SMTP_URL: mail.url },
    settings: {
      login_throttle: {
        account_and_address: { failures: 5, window: 300, lock: 60, max_lock: 900 },
        address: { failures: 30, window: 600, lock: 600 },
        account: { failures: 3, window: 3600, lock: 900 },
      },
      verify: { cooldown: 1, per_hour: 100, per_day: 100, per_address_hour: 100 },
    },
  });
  desk = await startDesk(service);
  support = await deskUser(desk, 'support');
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
  await mail.stop();
});

type Event = Record<string, unknown>;

const newMailbox = (begin = 'box') => `${unique(begin)}@mail.example`;
const from = () => `198.18.9.${++lastAddress}`;
const sendCode = (email: string) => service.client.post('/api/send_code', { email });

async function mailsOf(id: number, user = support): Promise<Event[]> {
  await service.app.get(MailEventLog).flush();
  const { body } = await user.get(`/api/players/${id}/timeline?kinds=mail`);
  return body.data.events as Event[];
}

describe('Mails in GET /api/players/:id/timeline', () => {
  it('include a rejected mail at most once a minute', async () => {
    const email = newMailbox('full');
    const { id } = await createPlayer(service, { email });
    const answers = [await sendCode(email), await sendCode(email), await sendCode(email)];
    expect(answers.map(({ body }) => body.error)).toEqual(Array(3).fill('mail_unavailable'));
    expect(await mailsOf(id)).toMatchObject([{ what: 'code', outcome: 'failed' }]);
    await withClockAhead(61, () => sendCode(email));
    expect(await mailsOf(id)).toHaveLength(2);
  });
});

describe('GET /api/players/:id/live', () => {
  it('streams changes with the current permissions until the session ends', async () => {
    const live = desk.app.get(PlayerStream);
    const email = newMailbox();
    const { id } = await createPlayer(service, { email });
    const user = await deskUser(desk, 'admin');
    const listen = async ({ cookie }: DeskUser, signal?: AbortSignal) => {
      const path = `${desk.url}/api/players/${id}/live`;
      const answer = await fetch(path, { headers: { cookie }, signal });
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
      return answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    };
    const stop = new AbortController();
    const [mine, theirs] = [await listen(user), await listen(support, stop.signal)];
    const look = async (reader: typeof mine) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)\n\n$/s.exec((await reader.read()).value!)!;
      return { event, ...(JSON.parse(data!) as { page?: Event; timeline?: { events: Event[] } }) };
    };
    expect(await look(mine)).toMatchObject({ event: 'look', page: { player: { id, email } } });
    const first = await look(theirs);
    expect(first).toMatchObject({ page: { player: { email: 'b•••@mail.example' } } });
    expect(first.timeline).toEqual({ events: [], next: null });

    // Replaces the timer, which sends every five seconds.
    clearInterval(live['subscribers']['timer']);
    const tell = () => live['send']();
    await tell();
    expect([await look(mine), await look(theirs)]).toEqual([{ event: 'same' }, { event: 'same' }]);
    const role = { by: 'test', note: 'helps out' };
    await desk.app.get(OperatorActions).setRole(role, user.name, 'support');
    await support.post(`/api/players/${id}/sign_out`, { note: 'ticket 811' });
    await tell();
    // Another role ends the session.
    expect((await mine.read()).done).toBe(true);
    expect(await look(theirs)).toMatchObject({
      event: 'look',
      timeline: { events: [{ kind: 'act', act: 'player.sign-out', note: 'ticket 811' }] },
    });
    expect(live['subscribers'].size).toBe(1);
    stop.abort();
    await until(() => live['subscribers'].size === 0 && live['subscribers']['timer'] === undefined);

    expect((await desk.client.get(`/api/players/${id}/live`)).status).toBe(401);
    expect((await support.get('/api/players/2000000000/live')).body.error).toBe('not_found');
  });

  it('reports no change while a lock lasts', async () => {
    const { id } = await createPlayer(service);
    const address = from();
    const event = { createdAt: new Date(), way: 'login', outcome: 'bad_credentials' } as const;
    await service.database.getRepository(LoginEvent).insert({ ...event, playerId: id, address });
    // The desk counts for itself here, as there is no Redis.
    const attempt = { subject: throttleSubject(id), address, spared: false };
    const throttle = desk.app.get(LoginThrottle);
    await throttle.admit(attempt, false);
    // A trip to Redis takes a little more or less each time.
    const standing = throttle.inspect.bind(throttle);
    let trip = 0;
    const asked = vi.spyOn(throttle, 'inspect').mockImplementation(async (each) => {
      const late = ++trip;
      const locks = await standing(each);
      return locks.map((lock) => ({ ...lock, until: new Date(lock.until.getTime() + late) }));
    });
    const stream = { isOpen: true, onClosed: () => {}, send: vi.fn(), end: () => {} };
    const open = () => stream as unknown as EventStream;
    const live = new PlayerStream(desk.app.get(PlayersService), desk.app.get(OperatorSessions));
    const session = (await desk.app.get(OperatorSessions).find(support.cookie.split('=')[1]!))!;
    await live.subscribe(open, session, id);
    const [[, { page }]] = stream.send.mock.calls as [[string, { page: { locks: Event[] } }]];
    expect(page.locks.map(({ scope, failures }) => [scope, failures])).toEqual([
      ['account_and_address', 1],
      ['address', 1],
      ['account', 1],
    ]);
    const told: string[] = [];
    for (let time = 0; time < 3; time++) {
      await live['send']();
      told.push(String(stream.send.mock.lastCall![0]));
    }
    // Times are compared in steps of ten seconds, and one step may end meanwhile.
    expect(told.filter((name) => name === 'same').length).toBeGreaterThanOrEqual(2);
    asked.mockRestore();
    await live.beforeApplicationShutdown();
  });

  it('does not extend the session, and neither do automatic requests', async () => {
    const live = desk.app.get(PlayerStream);
    const { id } = await createPlayer(service);
    const { cookie, get, post } = await deskUser(desk, 'admin');
    const stop = new AbortController();
    const listen = (path: string) =>
      fetch(desk.url + path, { headers: { cookie }, signal: stop.signal });
    const session = (await desk.app.get(OperatorSessions).find(cookie.split('=')[1]!))!.id;
    const seen = new Date(Date.now() - 29 * 60_000);
    const sessions = service.database.getRepository(OperatorSession);
    await sessions.update({ id: session }, { seenAt: seen });
    await listen(`/api/players/${id}/live`);
    await listen('/api/now/live');
    const { operator } = (await get('/api/session/standing')).body.data;
    expect(operator).toMatchObject({ role: 'admin' });
    await live['send']();
    const byItself = { 'X-Desk-No-Use': '1' };
    expect((await get(`/api/players/${id}/timeline`, byItself)).status).toBe(200);
    expect((await sessions.findOneByOrFail({ id: session })).seenAt).toEqual(seen);
    expect(live['subscribers'].size).toBe(1);
    await withClockAhead(120, () => live['send']());
    // The session expired after half an hour without use.
    await until(() => live['subscribers'].size === 0);
    const acts = [
      () => get(`/api/players/${id}/timeline`),
      // Actions extend the session even if they are marked as automatic.
      () => post(`/api/players/${id}/disable`, { note: 'tonight' }, byItself),
    ];
    for (const act of acts) {
      await sessions.update({ id: session }, { seenAt: seen });
      expect((await act()).status).toBe(200);
      expect((await sessions.findOneByOrFail({ id: session })).seenAt).not.toEqual(seen);
    }
    stop.abort();
  });

  it('is audited as a view every ten minutes', async () => {
    const live = desk.app.get(PlayerStream);
    const { id } = await createPlayer(service);
    const user = await deskUser(desk, 'admin');
    const views = () =>
      service.database
        .getRepository(AuditEvent)
        .countBy({ subject: `player ${id}`, act: 'desk.view', operator: user.name });
    const stop = new AbortController();
    const { cookie } = user;
    const path = `${desk.url}/api/players/${id}/live`;
    // Starts with a ten-minute interval of the clock, so that none ends during the test.
    const begin = 600 - ((Date.now() / 1000) % 600);
    await withClockAhead(begin, async () => {
      await fetch(path, { headers: { cookie }, signal: stop.signal });
      for (let time = 0; time < 3; time++) await live['send']();
    });
    expect(await views()).toBe(1);
    await withClockAhead(begin + 600, () => live['send']());
    expect(await views()).toBe(2);
    stop.abort();
    await until(() => live['subscribers'].size === 0);
  });
});
