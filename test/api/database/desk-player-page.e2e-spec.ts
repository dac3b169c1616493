import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailEvent } from '../../../src/platform/audit/mail-event.entity.js';
import { MailEventLog } from '../../../src/platform/audit/mail-event-log.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { createPlayer, addServer, tokenOf } from '../../support/api/factories.js';
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
  it('are shown by kind with a masked mailbox and without content', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const { id, account } = player;
    await sendCode(email);
    expect(await mailsOf(id)).toEqual([
      {
        at: expect.any(String),
        kind: 'mail',
        id: expect.any(Number),
        what: 'code',
        outcome: 'sent',
        mailbox: 'b•••@mail.example',
      },
    ]);

    const code = await mail.codeFor(email);
    const password = 'another one';
    const form = { account, email, code, password };
    expect((await service.client.post('/api/reset_password', form)).status).toBe(200);
    await service.client.post('/api/login', { account, password }, { from: from() });
    for (let time = 0; time < 8; time++)
      await service.client.post('/api/login', { account, password: 'guess' }, { from: from() });
    const next = newMailbox('next');
    await sendCode(next);
    const change = { email: next, code: await mail.codeFor(next), password };
    const token = tokenOf(service, player, { ver: player.ver + 1 });
    const changed = await service.client.post('/api/account/email', change, { token });
    expect(changed.body).toMatchObject({ data: { email: next } });

    // The code for the new mailbox was mailed before that belonged to the player.
    await until(async () => (await mailsOf(id)).length === 5);
    const events = await mailsOf(id);
    const whats = events.map(({ what }) => String(what)).toSorted();
    expect(whats).toEqual(['code', 'email-changed', 'new-device', 'reset', 'siege']);
    expect(events.every(({ outcome }) => outcome === 'sent')).toBe(true);
    expect(await mailsOf(id, await deskUser(desk, 'admin'))).toEqual(events);
    for (const secret of [email, next, code, change.code])
      expect(JSON.stringify(events)).not.toContain(secret);
    // Nothing more is stored than was shown.
    const rows = await service.database.getRepository(MailEvent).findBy({ playerId: id });
    expect(JSON.stringify(rows)).not.toContain(email);
    expect(rows.map(({ mailbox }) => mailbox)).toEqual(rows.map(() => 'b•••@mail.example'));

    const paged: Event[] = [];
    for (let place = ''; ;) {
      const path = `/api/players/${id}/timeline?kinds=mail&limit=2${place}`;
      const { body } = await support.get(path);
      paged.push(...(body.data.events as Event[]));
      if (body.data.next === null) break;
      place = `&before=${encodeURIComponent(String(body.data.next))}`;
    }
    expect(paged).toEqual(events);
  });

  it('are deleted after 90 days', async () => {
    const { id } = await createPlayer(service);
    const note = { playerId: id, kind: 'siege', outcome: 'sent', mailbox: 'b•••@x' } as const;
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    const rows = service.database.getRepository(MailEvent);
    await rows.insert([89, 91].map((count) => ({ ...note, createdAt: days(count) })));
    await service.app.get(ExpiredRowCleaner).deleteAll();
    expect(await rows.findBy({ playerId: id })).toMatchObject([{ kind: 'siege' }]);
  });
});

describe('GET /api/players/:id', () => {
  it('names the servers that the player entered', async () => {
    const { id } = await createPlayer(service);
    const server = await addServer(service.database, { name: '龙谷 · Dragon Valley' });
    for (const [server_id, time] of [
      [server.id, '2026-11-02 10:00:00.000'],
      [999_999, '2026-11-01 10:00:00.000'],
    ])
      await service.database.query(
        'INSERT INTO player_zone (player_id, server_id, entered_at, enter_count) VALUES (?, ?, ?, 3)',
        [id, server_id, time],
      );
    const { body } = await support.get(`/api/players/${id}`);
    expect(body.data.servers).toMatchObject([
      { server_id: server.id, server: server.name, times: 3 },
      { server_id: 999_999, server: null },
    ]);
    const timeline = await support.get(`/api/players/${id}/timeline`);
    expect(timeline.body.data.events).toMatchObject([
      { kind: 'entry', server_id: server.id, server: server.name },
      { kind: 'entry', server_id: 999_999, server: null },
    ]);
  });
});
