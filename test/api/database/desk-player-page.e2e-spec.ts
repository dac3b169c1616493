import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailEvent } from '../../../src/platform/audit/audit.entity.js';
import { RequestEventLog } from '../../../src/platform/audit/request-event-log.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { deskUser, type DeskUser, type TestDesk } from '../../support/api/desk.js';
import { createPlayer, addServer, tokenOf } from '../../support/api/factories.js';
import { until } from '../../support/until.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { PlayerPage } from '../../support/api/player-page.js';

let page: PlayerPage;
let service: MailApp;
let desk: TestDesk;
let support: DeskUser;
let lastAddress = 0;

beforeAll(async () => {
  page = await PlayerPage.start();
  ({ service, desk, support } = page);
});
afterAll(() => page.stop());

type Event = Record<string, unknown>;

const newMailbox = (begin = 'box') => `${unique(begin)}@mail.example`;
const from = () => `198.18.9.${++lastAddress}`;

describe('E-mails in GET /api/players/:id/timeline', () => {
  it('are shown by kind with a masked e-mail address and without content', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const { id, account } = player;
    await page.sendCode(email);
    expect(await page.mailsOf(id)).toEqual([
      {
        at: expect.any(String),
        kind: 'mail',
        id: expect.any(Number),
        what: 'code',
        outcome: 'sent',
        mailbox: 'b•••@mail.example',
      },
    ]);

    const code = await service.mail.codeFor(email);
    const password = 'another one';
    const form = { account, email, code, password };
    expect((await service.client.post('/api/reset_password', form)).status).toBe(200);
    await service.client.post('/api/login', { account, password }, { from: from() });
    for (let time = 0; time < 8; time++)
      await service.client.post('/api/login', { account, password: 'guess' }, { from: from() });
    const next = newMailbox('next');
    await page.sendCode(next);
    const change = { email: next, code: await service.mail.codeFor(next), password };
    const token = tokenOf(service, player, { ver: player.ver + 1 });
    const changed = await service.client.post('/api/account/email', change, { token });
    expect(changed.body).toMatchObject({ data: { email: next } });

    // The code for the new e-mail address was sent before the address belonged to the player.
    await until(async () => (await page.mailsOf(id)).length === 5);
    const events = await page.mailsOf(id);
    const whats = events.map(({ what }) => String(what)).toSorted();
    expect(whats).toEqual(['code', 'email-changed', 'new-device', 'reset', 'siege']);
    expect(events.every(({ outcome }) => outcome === 'sent')).toBe(true);
    expect(await page.mailsOf(id, await deskUser(desk, 'admin'))).toEqual(events);
    for (const secret of [email, next, code, change.code])
      expect(JSON.stringify(events)).not.toContain(secret);
    // The table stores no more than the page shows.
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

describe("A player's own changes in GET /api/players/:id/timeline", () => {
  const historyOf = async (id: number): Promise<Event[]> => {
    await service.app.get(RequestEventLog).flush();
    const { body } = await support.get(`/api/players/${id}/timeline?kinds=change,refusal`);
    return body.data.events;
  };

  it('are shown with the address from which they were made, and so are refused requests', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const { id, account } = player;
    const address = from();
    const signedIn = await service.client.post('/api/login', { account, password: PASSWORD });
    const { token } = signedIn.body.data;
    const post = (path: string, body: object) =>
      service.client.post(`/api/${path}`, body, { token, from: address });

    const next = newMailbox('next');
    await page.sendCode(next);
    const change = { email: next, code: await service.mail.codeFor(next), password: PASSWORD };
    expect((await post('account/email', change)).status).toBe(200);
    await until(async () => (await historyOf(id)).length === 1);
    const refused = await post('unbind', { provider: 'forum' });
    expect(refused.body.error).toBe('link_not_found');
    await until(async () => (await historyOf(id)).length === 2);
    expect((await post('account/close', { password: PASSWORD })).status).toBe(200);
    await until(async () => (await historyOf(id)).length === 3);
    expect((await post('account/keep', {})).status).toBe(200);
    // A repeated request changes nothing.
    expect((await post('account/keep', {})).status).toBe(200);
    expect((await post('account/totp/confirm', { code: '000000' })).status).not.toBe(200);
    await until(async () => (await historyOf(id)).length === 5);

    const events = await historyOf(id);
    expect(events.map(({ what, request }) => String(what ?? request)).toSorted()).toEqual([
      'POST /api/account/totp/confirm',
      'POST /api/unbind',
      'closing',
      'email',
      'kept',
    ]);
    expect(events.every((event) => event.address === address)).toBe(true);
    expect(events.at(-1)).toMatchObject({ kind: 'change', detail: 'n•••@mail.example' });
    expect(events.at(-2)).toMatchObject({
      outcome: 'link_not_found',
      request_id: refused.headers.get('x-request-id'),
    });
    const trace = await support.get(`/api/requests/${String(events.at(-1)!.request_id)}`);
    expect(trace.body.data.events).toMatchObject([{ kind: 'change', what: 'email', address }]);
  });
});

describe('GET /api/players/:id', () => {
  it('names the servers that the player has entered', async () => {
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
