import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChatWriter } from '../../src/features/chat/chat-writer.js';
import { NoDatabaseConnection } from '../../src/platform/database/database-errors.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const NOW = Math.floor(Date.now() / 1000);
let service: TestApp;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  service = await startApp({ settings: { chat: { retention_days: 180 } } });
});
afterEach(() => service.database.query('DELETE FROM chat'));
afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});

type Crowd = { batcher: { waiting: unknown[] } };

const report = (body: unknown) => service.client.post('/api/report/chat', body);
const reportAll = async (records: unknown[]) => (await report({ records })).body.data;
const said = (chat_id?: string | number, changes: object = {}) => ({
  server_id: 1,
  chat_id,
  content: 'hello',
  ...changes,
});
const rowsOf = (values: unknown) => (values as unknown[]).length / 9;
const rows = (): Promise<Array<Record<string, unknown>>> =>
  service.database.query('SELECT * FROM chat ORDER BY id');

describe('POST /api/report/chat', () => {
  it('takes one record, and keeps every field as it was sent', async () => {
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
    expect(Math.abs(utc(created_at) - Date.now())).toBeLessThan(5000);
  });

  it('takes a record of only what is needed, said now', async () => {
    expect((await report({ server_id: 1, content: 'x', account: null })).body.data.accepted).toBe(
      1,
    );
    const [row] = await rows();
    expect(row).toMatchObject({ chat_id: null, account: null, role_id: null, role_name: null });
    expect(Math.abs(utc(row!.time) - Date.now())).toBeLessThan(5000);
  });

  it('takes a batch, and one bad record never loses the others', async () => {
    const records = [
      said(1),
      said(2, { content: '' }),
      null,
      said(3, { server_id: '1' }),
      said(4),
      'x',
      said(5, { time: NOW * 1000 }),
    ];
    const data = await reportAll(records);
    expect(data).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(data.rejected.map(({ index, field }: Rejected) => [index, field])).toEqual([
      [1, 'content'],
      [2, 'records'],
      [3, 'server_id'],
      [5, 'records'],
      [6, 'time'],
    ]);
    for (const { message } of data.rejected) expect(message).toEqual(expect.any(String));
    expect((await rows()).map(({ chat_id }) => chat_id)).toEqual(['1', '4']);
  });

  it.each([
    ['server_id', [undefined, null, 0, -1, 1.5, '1', true, 2_147_483_648, [1]]],
    ['chat_id', [-1, 1.5, '', ' ', 'a b', '龙', 'x'.repeat(65), true, {}, 2 ** 53]],
    ['account', [7, 'x'.repeat(65), ['x']]],
    ['role_id', [-1, '7', 2 ** 53, 0.5]],
    ['role_name', ['x'.repeat(65), {}]],
    ['channel', [1, 'x'.repeat(33)]],
    ['content', [undefined, null, '', 5, '𝄞'.repeat(2001), 'a\0b', '\ud800', ['x']]],
    ['time', [0, 1e9 + 0.5, String(NOW), NOW * 1000, NOW + 2 * 86_400, -5]],
  ])('refuses a record for its %s', async (field, values) => {
    for (const value of values) {
      const answer = await report(said(1, { [field]: value }));
      expect(answer.body.error, JSON.stringify(value)).toBe('invalid_request');
      expect(answer.body.details).toMatchObject([{ field }]);
    }
    const data = await reportAll(values.map((value) => said(1, { [field]: value })));
    expect(data.rejected.map((rejected: Rejected) => rejected.field)).toEqual(
      values.map(() => field),
    );
    expect(await rows()).toEqual([]);
  });

  it('takes the longest of everything, 4-byte characters included', async () => {
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

  it('takes what the game itself says, in nobody’s name', async () => {
    const record = { server_id: 1, account: '', role_id: 0, role_name: '', channel: '' };
    expect((await report({ ...record, content: 'rain' })).body.data.accepted).toBe(1);
    const [row] = await rows();
    expect({ ...row, role_id: Number(row!.role_id) }).toMatchObject(record);
  });

  it('refuses what is no list, or more than 500 records, or too many bytes', async () => {
    for (const records of [null, {}, 'x', Array(501).fill(said())]) {
      const answer = await report({ records });
      expect(answer.body.error).toBe('invalid_request');
      expect(answer.body.details).toMatchObject([{ field: 'records' }]);
    }
    const long = said(undefined, { content: 'x'.repeat(2000) });
    expect((await report({ records: Array(270).fill(long) })).body.error).toBe('body_too_large');
    expect((await report({ records: Array(250).fill(long) })).body.data.accepted).toBe(250);
    expect((await report({ records: [] })).body.data.accepted).toBe(0);
  });
});

describe('a repeat', () => {
  it('is a duplicate within its server, and the first one stays', async () => {
    await report(said('a', { content: 'first' }));
    const { data } = (await report(said('a', { content: 'second' }))).body;
    expect(data).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
    expect(await reportAll([said('a', { server_id: 2 }), said('A'), said('b')])).toMatchObject({
      accepted: 3,
    });
    expect((await rows()).map(({ content }) => content)).toContain('first');
    expect((await rows()).map(({ content }) => content)).not.toContain('second');
  });

  it('within one report counts as well, as number or as text', async () => {
    const records = [said(7, { content: 'first' }), said('7'), said(8), said('7')];
    expect(await reportAll(records)).toMatchObject({ accepted: 2, duplicates: 2 });
    expect((await rows())[0]).toMatchObject({ content: 'first' });
  });

  it('is none where the game gives no chat_id', async () => {
    expect(await reportAll([said(), said(), said(null!)])).toMatchObject({ accepted: 3 });
    expect(await reportAll([said(), said(1)])).toMatchObject({ accepted: 2 });
    expect(await reportAll([said(), said(1)])).toMatchObject({ accepted: 1, duplicates: 1 });
  });

  it('is counted right when many overlapping reports come at once, in any order', async () => {
    const batch = (from: number, step: number) =>
      Array.from({ length: 60 }, (_, place) =>
        said(from + ((place * step) % 60), { server_id: 1 + (place % 2) }),
      );
    const batches = Array.from({ length: 24 }, (_, turn) =>
      batch((turn % 6) * 20, turn % 2 ? 1 : 59),
    );
    const answers = await Promise.all(batches.map(reportAll));
    const sum = (field: 'accepted' | 'duplicates') =>
      answers.reduce((total: number, data) => total + data[field], 0);
    const distinct = new Set(batches.flat().map((one) => `${one.server_id} ${one.chat_id}`)).size;
    expect(sum('accepted')).toBe(distinct);
    expect(sum('duplicates')).toBe(24 * 60 - distinct);
    expect(await rows()).toHaveLength(distinct);
  });
});

describe('a stranger', () => {
  const stranger = '203.0.113.9';
  const reportFrom = async (from: string, body: unknown) =>
    (await service.client.post('/api/report/chat', body, { from })).body;

  it('reports nothing unless chat.open is set, whatever the body is', async () => {
    for (const body of [said('a'), '{', 'x'.repeat(1024 * 1024)])
      expect((await reportFrom(stranger, body)).error).toBe('caller_not_allowed');
    expect(await rows()).toEqual([]);
  });

  it('with chat.open never makes the record of a game server a duplicate, nor another stranger’s', async () => {
    await changeSettings({ chat: { open: true } });
    const own = { records: [said('a', { content: 'forged' }), said('x'.repeat(64)), said()] };
    expect((await reportFrom(stranger, own)).data).toMatchObject({ accepted: 3 });
    expect((await reportFrom('2001:db8::7', said('a'))).data).toMatchObject({ accepted: 1 });
    expect((await report(said('a', { content: 'real' }))).body.data).toMatchObject({ accepted: 1 });
    expect((await report(said('a'))).body.data).toMatchObject({ duplicates: 1 });
    expect((await reportFrom(stranger, own)).data).toMatchObject({ accepted: 1, duplicates: 2 });
    const stored = (await rows()).map(({ chat_id, reported_by }) => [chat_id, reported_by]);
    expect(stored.filter(([id]) => String(id).endsWith('a'))).toEqual([
      [`${stranger} a`, stranger],
      ['2001:db8::7 a', '2001:db8::7'],
      ['a', '127.0.0.1'],
    ]);
    const [found] = await service.database.query(
      `SELECT content FROM chat WHERE server_id = 1 AND chat_id = 'a'`,
    );
    expect(found).toMatchObject({ content: 'real' });
    await changeSettings({ chat: { retention_days: 180 } });
  });

  it('cannot name the address of another in a chat_id', async () => {
    await changeSettings({ chat: { open: true } });
    const forged = await reportFrom(stranger, said('198.51.100.1 a'));
    expect(forged.error).toBe('invalid_request');
    await changeSettings({ chat: { retention_days: 180 } });
  });
});

describe('reports that come at once', () => {
  /** Sends 60 reports while the database keeps them waiting, and lets it answer once all of them are there. */
  async function reportAtOnce(answer: (statement: () => Promise<unknown>) => Promise<unknown>) {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const really = service.database.query.bind(service.database);
    const query = vi.spyOn(service.database, 'query').mockImplementation(async (...statement) => {
      await gate;
      return answer(() => really(...statement));
    });
    const reports = Array.from({ length: 60 }, (_, id) => report(said(id)));
    const { batcher } = service.app.get<ChatWriter, Crowd>(ChatWriter);
    const underWay = () => query.mock.calls.reduce((sum, [, values]) => sum + rowsOf(values), 0);
    await until(() => underWay() + batcher.waiting.length === 60);
    open();
    const answers = await Promise.all(reports);
    const statements = query.mock.calls.length;
    query.mockRestore();
    return { answers, statements };
  }

  it('go into few statements', async () => {
    const { answers, statements } = await reportAtOnce((statement) => statement());
    expect(answers.every(({ body }) => body.data.accepted === 1)).toBe(true);
    expect(statements).toBeLessThanOrEqual(3);
    expect(await rows()).toHaveLength(60);
  });

  it('fail together when the database is not there, without waiting for it in turn', async () => {
    const refused = new NoDatabaseConnection(new Error('not there'));
    const { answers, statements } = await reportAtOnce(() => Promise.reject(refused));
    expect(answers.every(({ body }) => body.error === 'service_unavailable')).toBe(true);
    expect(statements).toBeLessThanOrEqual(2);
    expect((await report(said(1))).body.data.accepted).toBe(1);
  });
});

describe('retention', () => {
  const aMinutePasses = () => vi.advanceTimersByTime(60_000);
  const store = async (count: number, daysAgo: number) => {
    await reportAll(Array.from({ length: count }, () => said(undefined, { account: 'new' })));
    const then = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 19);
    await service.database.query(
      `UPDATE chat SET account = 'old', created_at = ? WHERE account = 'new'`,
      [then.replace('T', ' ')],
    );
  };
  const remaining = async () => (await rows()).length;

  it('deletes what is older than the setting in steps, and leaves the rest', async () => {
    for (let batch = 0; batch < 5; batch++) await store(500, 181);
    await store(3, 179);
    const query = vi.spyOn(service.database, 'query');
    aMinutePasses();
    await until(async () => (await remaining()) === 3);
    const looks = query.mock.calls.filter(([sql]) => sql.includes('AS oldest'));
    expect(looks).toHaveLength(3);
    query.mockRestore();
  });

  it('keeps everything for ever where it is switched off, and follows the setting', async () => {
    await store(2, 4000);
    await changeSettings({ chat: { retention_days: null } });
    const query = vi.spyOn(service.database, 'query');
    aMinutePasses();
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
    expect(await remaining()).toBe(2);
    await changeSettings({ chat: { retention_days: 3000 } });
    aMinutePasses();
    await until(async () => (await remaining()) === 0);
  });
});

/** The settings are re-read on a timer too. */
async function changeSettings(settings: object): Promise<void> {
  const ticking = service.changeSettings(settings);
  vi.advanceTimersByTime(1000);
  await ticking;
}

interface Rejected {
  index: number;
  field: string;
}

/** Raw SQL gives a date from MariaDB and text from the embedded database. */
function utc(value: unknown): number {
  return value instanceof Date ? value.getTime() : Date.parse(`${String(value)}Z`);
}
