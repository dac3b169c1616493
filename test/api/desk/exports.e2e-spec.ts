import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calendarDay, dayBounds } from '../../../src/platform/config/time.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { addServer, createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

const timezone = 'Asia/Shanghai';
let service: TestApp;
let desk: TestDesk;
let treasury: DeskUser;
let moderator: DeskUser;

beforeAll(async () => {
  service = await startApp({ settings: { timezone } });
  desk = await startDesk(service);
  treasury = await deskUser(desk, 'treasury');
  moderator = await deskUser(desk, 'moderator');
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const linesOf = (text: string) => text.split('\r\n').slice(0, -1);
const exportsBy = ({ name }: DeskUser) =>
  service.database.getRepository(AuditEvent).find({
    select: { subject: true, after: true },
    where: { act: 'desk.export', operator: name },
    order: { id: 'ASC' },
  });

describe('GET /api/withdrawals/export', () => {
  it('returns all pages of matching withdrawals as CSV and is audited', async () => {
    const { id: server } = await addServer(service.database, { name: '=cmd' });
    const { id: playerId, account } = await createPlayer(service);
    const row = (roleId: number): Partial<Withdrawal> => ({
      playerId,
      serverId: server,
      roleServerId: server,
      roleId,
      roleName: '@hero',
      amount: 300 + roleId,
      status: roleId === 1 ? 'failed' : 'unknown',
      orderNo: `W-${server}-${roleId}`,
      createdAt: new Date(Date.UTC(2026, 10, 1, 0, 0, roleId)),
    });
    const rows = Array.from({ length: 502 }, (_, index) => row(index + 1));
    await service.database.getRepository(Withdrawal).insert(rows);
    const answer = await treasury.get(`/api/withdrawals/export?status=unknown&server=${server}`);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="withdrawals-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [head, ...lines] = linesOf(answer.text);
    expect(head!.replace('\uFEFF', '')).toBe(
      'id,created_at,status,reason,amount,account,player_id,role_server_id,server,role_id,role_name,order_no,sent_at,settled_at',
    );
    expect(lines).toHaveLength(501);
    expect(lines[0]).toMatch(
      new RegExp(
        `^\\d+,2026-11-01T00:08:22.000Z,unknown,,802,${account},${playerId},${server},'=cmd,502,'@hero,W-${server}-502,,$`,
      ),
    );
    expect(new Set(lines).size).toBe(501);
    const span = 'since=2026-11-01T00:00:05Z&until=2026-11-01T00:00:08Z';
    const { text } = await treasury.get(`/api/withdrawals/export?server=${server}&${span}`);
    expect(linesOf(text).map((line) => line.split(',')[4])).toEqual([
      'amount',
      '307',
      '306',
      '305',
    ]);
    expect(await exportsBy(treasury)).toMatchObject([
      { subject: 'withdrawals', after: { status: 'unknown', server } },
      { subject: 'withdrawals', after: { since: '2026-11-01T00:00:05Z' } },
    ]);
  });

  it('rejects a HEAD request with method_not_allowed and records no export', async () => {
    const operator = await deskUser(desk, 'treasury');
    const headers = { Cookie: operator.cookie };
    const answer = await desk.client.send('HEAD', '/api/withdrawals/export', { headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await exportsBy(operator)).toEqual([]);
  });

  it('rejects invalid filters', async () => {
    for (const bad of ['status=odd', 'server=x', 'since=yesterday', 'until=x'])
      expect((await treasury.get(`/api/withdrawals/export?${bad}`)).status, bad).toBe(400);
    expect(await exportsBy(treasury)).toHaveLength(2);
  });
});

describe('GET /api/withdrawals/totals', () => {
  it('returns totals by server for a calendar day in the configured time zone, on the page and as CSV', () =>
    // The clock is frozen, so that midnight cannot change the meaning of `yesterday` during the test.
    withClockAhead(0, async () => {
      const day = calendarDay(timezone, 'yesterday');
      const { from, to } = dayBounds(timezone, day);
      const [one, two] = [await addServer(service.database), await addServer(service.database)];
      const { id: playerId, account } = await createPlayer(service);
      const row = (server: number, amount: number, status: Withdrawal['status'], at: number) => ({
        playerId,
        serverId: server,
        roleServerId: server,
        roleId: 1,
        roleName: 'hero',
        amount,
        status,
        orderNo: unique('W'),
        createdAt: new Date(at),
      });
      await service.database
        .getRepository(Withdrawal)
        .insert([
          row(one.id, 7, 'succeeded', from.getTime() - 1),
          row(one.id, 100, 'succeeded', from.getTime()),
          row(one.id, 200, 'failed', from.getTime() + 1000),
          row(two.id, 400, 'succeeded', to.getTime() - 1),
          row(two.id, 8, 'succeeded', to.getTime()),
        ]);
      const query = `account=${account}&day=yesterday`;
      const { data } = (await treasury.get(`/api/withdrawals/totals?${query}`)).body;
      expect(data).toEqual({
        since: from.toISOString(),
        until: to.toISOString(),
        timezone,
        total: { count: 3, amount: 700, succeeded: 2, succeeded_amount: 500 },
        servers: [
          expect.objectContaining({
            server_id: one.id,
            count: 2,
            amount: 300,
            succeeded_amount: 100,
          }),
          expect.objectContaining({
            server_id: two.id,
            count: 1,
            amount: 400,
            succeeded_amount: 400,
          }),
        ],
      });
      const { withdrawals } = (await treasury.get(`/api/withdrawals?${query}`)).body.data;
      expect(withdrawals.map(({ amount }: { amount: number }) => amount)).toEqual([400, 200, 100]);
      const lines = linesOf((await treasury.get(`/api/withdrawals/totals/export?${query}`)).text);
      expect(lines).toEqual([
        'day,server_id,server,withdrawals,requested_amount,succeeded,succeeded_amount,open',
        `${day},${one.id},${one.name},2,300,1,100,0`,
        `${day},${two.id},${two.name},1,400,1,400,0`,
        `${day},total,,3,700,2,500,0`,
      ]);
      // If a request has both a day and a start time, both filters apply.
      const later = new Date(from.getTime() + 1000).toISOString();
      const narrow = await treasury.get(`/api/withdrawals/totals?${query}&since=${later}`);
      expect(narrow.body.data.total).toMatchObject({ count: 2, amount: 600 });
      // Without a period, the total is null, because summing all withdrawals would take too long.
      expect((await treasury.get('/api/withdrawals/totals')).body.data.total).toBeNull();
      expect((await treasury.get('/api/withdrawals/totals?day=tomorrow')).status).toBe(400);
    }));
});

describe('GET /api/chat/export', () => {
  it('returns every matching message as CSV and is audited', async () => {
    const said = ['=HYPERLINK("x")', 'two\nlines', 'buy, now'];
    await service.database.query(
      `INSERT INTO chat (server_id, account, role_id, role_name, channel, content, time, reported_by)
        VALUES ${said.map((_, n) => `(77, 'anna', 5, 'hero', 'world', ?, '2026-11-05 10:00:0${n}', NULL)`).join()}`,
      said,
    );
    const read = async (query: string) =>
      (await moderator.get(`/api/chat/export?server=77${query}`)).text;
    const text = await read('');
    expect(text).toMatch(
      /^\uFEFF?id,at,server_id,account,role_id,role,channel,text,reporter,reported_at\r\n/,
    );
    expect(text).toContain(`2026-11-05T10:00:00.000Z,77,anna,5,hero,world,"'=HYPERLINK(""x"")",,`);
    expect(text).toContain('"two\nlines"');
    expect(linesOf(await read('&words=buy'))).toHaveLength(2);
    expect((await moderator.get('/api/chat/export?server=0')).status).toBe(400);
    expect(await exportsBy(moderator)).toMatchObject([
      { subject: 'chat', after: { server: 77 } },
      { subject: 'chat', after: { server: 77, words: 'buy' } },
    ]);
  });
});

describe('GET /api/audit/export', () => {
  it('returns the same rows as the list with the same filters', async () => {
    const admin = await deskUser(desk, 'admin');
    const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 0, minute));
    const event = { operator: 'anna', act: 'server.set', subject: 'server 801', note: 'why' };
    await service.database.getRepository(AuditEvent).insert([
      { ...event, createdAt: at(1), before: null, after: null },
      { ...event, createdAt: at(2), before: null, after: null },
      { ...event, createdAt: at(3), before: null, after: null, operator: 'bert' },
      { ...event, createdAt: at(4), before: null, after: null, act: 'server.open' },
      { ...event, createdAt: at(5), before: null, after: null, subject: 'server 802' },
    ]);
    const countsFor = async (query: string) => {
      const { events } = (await admin.get(`/api/audit?${query}`)).body.data;
      const { text } = await admin.get(`/api/audit/export?${query}`);
      const ids = linesOf(text)
        .slice(1)
        .map((line) => Number(line.split(',')[0]));
      expect(ids).toEqual(events.map(({ id }: { id: number }) => id));
      return ids.length;
    };
    expect(await countsFor('subject=server%20801')).toBe(4);
    expect(await countsFor('subject=server%20801&by=anna')).toBe(3);
    expect(await countsFor('subject=server%20801&by=anna&act=server.set')).toBe(2);
    expect(await countsFor('by=anna&since=2026-10-01T00:02:00Z&until=2026-10-01T00:05:00Z')).toBe(
      2,
    );
  });
});
