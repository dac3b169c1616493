import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { addServer, createPlayer } from '../../support/api/factories.js';

let service: TestApp;
let desk: TestDesk;
let treasury: DeskUser;
let moderator: DeskUser;

beforeAll(async () => {
  service = await startApp();
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
  it('is every withdrawal of the filters as CSV, past a page, and is audited', async () => {
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
    expect(await exportsBy(treasury)).toMatchObject([
      { subject: 'withdrawals', after: { status: 'unknown', server } },
    ]);
  });

  it('rejects invalid filters', async () => {
    for (const bad of ['status=odd', 'server=x', 'since=yesterday'])
      expect((await treasury.get(`/api/withdrawals/export?${bad}`)).status, bad).toBe(400);
    expect(await exportsBy(treasury)).toHaveLength(1);
  });
});

describe('GET /api/chat/export', () => {
  it('is every message of the filters as CSV and is audited', async () => {
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
