import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorSession } from '../../../src/operators/actions/operators/operator-session.entity.js';
import { OperatorSessions } from '../../../src/operators/actions/operators/operator-sessions.js';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity.js';
import { MailEventLog } from '../../../src/platform/audit/mail-event-log.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { MailServer } from '../../support/servers/smtp.js';

let mail: MailServer;
let service: TestApp;
let desk: TestDesk;
let support: DeskUser;

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

describe('A player page that refreshes itself', () => {
  const byItself = { 'X-Desk-No-Use': '1' };

  it('does not extend the session', async () => {
    const { id } = await createPlayer(service);
    const { cookie, get, post } = await deskUser(desk, 'admin');
    const session = (await desk.app.get(OperatorSessions).find(cookie.split('=')[1]!))!.id;
    const seen = new Date(Date.now() - 29 * 60_000);
    const sessions = service.database.getRepository(OperatorSession);
    await sessions.update({ id: session }, { seenAt: seen });
    for (const path of ['/api/now', `/api/players/${id}`, `/api/players/${id}/timeline`])
      expect((await get(path, byItself)).status).toBe(200);
    expect((await sessions.findOneByOrFail({ id: session })).seenAt).toEqual(seen);
    // The session expires after half an hour without use.
    await withClockAhead(120, async () =>
      expect((await get(`/api/players/${id}`, byItself)).status).toBe(401),
    );
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
  });

  it('is audited as a view every ten minutes', async () => {
    const { id } = await createPlayer(service);
    const user = await deskUser(desk, 'admin');
    const views = () =>
      service.database
        .getRepository(AuditEvent)
        .countBy({ subject: `player ${id}`, act: 'desk.view', operator: user.name });
    const read = () => user.get(`/api/players/${id}`, byItself);
    // Starts with a ten-minute interval of the clock, so that none ends during the test.
    const begin = 600 - ((Date.now() / 1000) % 600);
    await withClockAhead(begin, async () => {
      for (let time = 0; time < 3; time++) await read();
    });
    expect(await views()).toBe(1);
    await withClockAhead(begin + 600, read);
    expect(await views()).toBe(2);
  });
});
