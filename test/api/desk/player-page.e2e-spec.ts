import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorSession } from '../../../src/operators/actions/operators/operator.entity.js';
import { OperatorSessions } from '../../../src/operators/actions/operators/operator-sessions.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { unique } from '../../support/accounts.js';
import { deskUser, type TestDesk } from '../../support/api/desk.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { PlayerPage } from '../../support/api/player-page.js';

let page: PlayerPage;
let service: MailApp;
let desk: TestDesk;

beforeAll(async () => {
  page = await PlayerPage.start();
  ({ service, desk } = page);
});
afterAll(() => page.stop());

const newMailbox = (begin = 'box') => `${unique(begin)}@mail.example`;

describe('E-mails in GET /api/players/:id/timeline', () => {
  it('include a rejected e-mail at most once a minute', async () => {
    const email = newMailbox('full');
    const { id } = await createPlayer(service, { email });
    const answers = [
      await page.sendCode(email),
      await page.sendCode(email),
      await page.sendCode(email),
    ];
    expect(answers.map(({ body }) => body.error)).toEqual(Array(3).fill('mail_unavailable'));
    expect(await page.mailsOf(id)).toMatchObject([{ what: 'code', outcome: 'failed' }]);
    await withClockAhead(61, () => page.sendCode(email));
    expect(await page.mailsOf(id)).toHaveLength(2);
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

  it('is audited as a view once every ten minutes', async () => {
    const { id } = await createPlayer(service);
    const user = await deskUser(desk, 'admin');
    const views = () =>
      service.database
        .getRepository(AuditEvent)
        .countBy({ subject: `player ${id}`, act: 'desk.view', operator: user.name });
    const read = () => user.get(`/api/players/${id}`, byItself);
    // Starts at the beginning of a ten-minute interval so that none ends during the test.
    const begin = 600 - ((Date.now() / 1000) % 600);
    await withClockAhead(begin, async () => {
      for (let time = 0; time < 3; time++) await read();
    });
    expect(await views()).toBe(1);
    await withClockAhead(begin + 600, read);
    expect(await views()).toBe(2);
  });
});
