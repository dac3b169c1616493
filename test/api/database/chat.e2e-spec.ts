import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Settings } from '../../../src/platform/config/settings.js';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { allAtOnce } from '../../support/api/parallel.js';

const DAY_MS = 86_400_000;
let service: TestApp;

beforeAll(async () => {
  service = await startApp({ settings: { chat: { retention_days: 180 } } });
});
afterEach(() => service.database.query('DELETE FROM chat'));
afterAll(() => service.stop());

const report = (body: unknown) => service.client.post('/api/report/chat', body);
const reportAll = async (records: unknown[]) => (await report({ records })).body.data;
const said = (chat_id?: string | number, changes: object = {}) => ({
  server_id: 1,
  chat_id,
  content: 'hello',
  ...changes,
});
const rows = (): Promise<Array<Record<string, unknown>>> =>
  service.database.query('SELECT * FROM chat ORDER BY id');

describe('POST /api/report/chat', () => {
  it('stores every field of a record unchanged', async () => {
    const record = {
      server_id: 7,
      chat_id: 'c-1',
      account: 'Alice',
      role_id: 9_007_199_254_740_991,
      role_name: '屠龙🗡️',
      channel: 'world',
      content: ' <b>\'); DROP TABLE chat; -- \\ " 𝄞 👩‍👩‍👧 %s ? \n ',
      time: 1_794_700_800,
    };
    const answer = await report({ ...record, id: 5, created_at: '2000-01-01' });
    expect(answer.body).toEqual({
      code: 0,
      message: 'ok',
      data: { accepted: 1, duplicates: 0, rejected: [] },
    });
    const [row] = await rows();
    const { id: _, time, created_at, reported_by, ...rest } = row!;
    expect({ ...rest, role_id: Number(rest.role_id) }).toEqual({ ...record, time: undefined });
    expect(reported_by).toBe('127.0.0.1');
    expect(utc(time)).toBe(1_794_700_800_000);
    expect(Math.abs(utc(created_at) - Date.now())).toBeLessThan(600_000);
  });

  it('stores values of maximum length in 4-byte characters', async () => {
    const record = {
      server_id: 2_147_483_647,
      chat_id: 'x'.repeat(64),
      account: '𝄞'.repeat(64),
      role_name: '𝄞'.repeat(64),
      channel: '𝄞'.repeat(32),
      content: '𝄞'.repeat(2000),
    };
    expect((await report(record)).body.data.accepted).toBe(1);
    const [row] = await rows();
    expect(row).toMatchObject(record);
  });

  it("keeps the first of a server's records with the same chat_id", async () => {
    await report(said('a', { content: 'first' }));
    const { data } = (await report(said('a', { content: 'second' }))).body;
    expect(data).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
    expect(await reportAll([said('a', { server_id: 2 }), said('A'), said('b')])).toMatchObject({
      accepted: 3,
    });
    expect((await rows()).map(({ content }) => content)).toContain('first');
    expect((await rows()).map(({ content }) => content)).not.toContain('second');
  });

  it('finds duplicates within one report, whether chat_id is a number or text', async () => {
    const records = [said(7, { content: 'first' }), said('7'), said(8), said('7')];
    expect(await reportAll(records)).toMatchObject({ accepted: 2, duplicates: 2 });
    expect((await rows())[0]).toMatchObject({ content: 'first' });
  });

  it('accepts any number of records without a chat_id', async () => {
    expect(await reportAll([said(), said(), said(null!)])).toMatchObject({ accepted: 3 });
    expect(await reportAll([said(), said(1)])).toMatchObject({ accepted: 2 });
    expect(await reportAll([said(), said(1)])).toMatchObject({ accepted: 1, duplicates: 1 });
  });

  it('counts duplicates correctly in parallel overlapping reports', async () => {
    const batch = (from: number, step: number) =>
      Array.from({ length: 60 }, (_, place) =>
        said(from + ((place * step) % 60), { server_id: 1 + (place % 2) }),
      );
    const batches = Array.from({ length: 8 }, (_, turn) =>
      batch((turn % 4) * 20, turn % 2 ? 1 : 59),
    );
    const answers = await allAtOnce(batches.map((records) => () => report({ records })));
    const sum = (field: 'accepted' | 'duplicates') =>
      answers.reduce((total: number, { body }) => total + body.data[field], 0);
    const distinct = new Set(batches.flat().map((one) => `${one.server_id} ${one.chat_id}`)).size;
    expect(sum('accepted')).toBe(distinct);
    expect(sum('duplicates')).toBe(8 * 60 - distinct);
    expect(await rows()).toHaveLength(distinct);
  });
});

describe('ExpiredRowCleaner on chat', () => {
  const clean = () => service.app.get(ExpiredRowCleaner).deleteAll();
  const store = async (count: number, daysAgo: number) => {
    await reportAll(Array.from({ length: count }, () => said(undefined, { account: 'new' })));
    const then = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 19);
    await service.database.query(
      `UPDATE chat SET account = 'old', created_at = ? WHERE account = 'new'`,
      [then.replace('T', ' ')],
    );
  };
  const remaining = async () => (await rows()).length;

  it('deletes records older than chat.retention_days in batches', async () => {
    for (let batch = 0; batch < 5; batch++) await store(500, 181);
    await store(3, 179);
    const query = vi.spyOn(service.database, 'query');
    await clean();
    expect(await remaining()).toBe(3);
    const looks = query.mock.calls.filter(([sql]) => sql.includes('AS oldest'));
    expect(looks).toHaveLength(3);
    query.mockRestore();
  });

  it('stops midway once a wrong chat.retention_days is corrected', async () => {
    for (let batch = 0; batch < 5; batch++) await store(500, 181);
    const { current } = service.app.get(Settings);
    const { chat } = current;
    const days = [18];
    current.chat = Object.create(chat, { retention_days: { get: () => days.shift() ?? null } });
    await clean();
    current.chat = chat;
    expect(await remaining()).toBe(1500);
  });

  it('deletes nothing without chat.retention_days and applies a changed setting', async () => {
    await store(2, 4000);
    await service.changeSettings({ chat: { retention_days: null } });
    await clean();
    expect(await remaining()).toBe(2);
    await service.changeSettings({ chat: { retention_days: 3000 } });
    await clean();
    expect(await remaining()).toBe(0);
  });
});

/** Converts a raw SQL date, which is a Date on MariaDB and text on the embedded database. */
function utc(value: unknown): number {
  return value instanceof Date ? value.getTime() : Date.parse(`${String(value)}Z`);
}
