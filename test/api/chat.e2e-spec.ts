import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChatTable } from '../../src/features/chat/chat-table.js';
import { NoDatabaseConnection } from '../../src/platform/database/database-errors.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { times } from '../support/api/parallel.js';
import { until } from '../support/until.js';

const PARALLEL = 12;
const NOW = Math.floor(Date.now() / 1000);
let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterEach(() => service.database.query('DELETE FROM chat'));
afterAll(() => service.stop());

type WithBatcher = { batcher: { waiting: unknown[] } };

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
  it('accepts a record with only the required fields and stores the current time', async () => {
    expect((await report({ server_id: 1, content: 'x', account: null })).body.data.accepted).toBe(
      1,
    );
    const [row] = await rows();
    expect(row).toMatchObject({ chat_id: null, account: null, role_id: null, role_name: null });
    expect(Math.abs(utc(row!.time) - Date.now())).toBeLessThan(600_000);
  });

  it('stores the valid records of a batch and reports the invalid ones', async () => {
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
  ])('rejects a record with an invalid %s', async (field, values) => {
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

  it('accepts a message from the game itself, without a player', async () => {
    const record = { server_id: 1, account: '', role_id: 0, role_name: '', channel: '' };
    expect((await report({ ...record, content: 'rain' })).body.data.accepted).toBe(1);
    const [row] = await rows();
    expect({ ...row, role_id: Number(row!.role_id) }).toMatchObject(record);
  });

  it('rejects records that are not a list, more than 500 records, and oversized bodies', async () => {
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

  const stranger = '203.0.113.9';
  const reportFrom = async (from: string, body: unknown) =>
    (await service.client.post('/api/report/chat', body, { from })).body;

  it('rejects callers that are not game servers, regardless of the body', async () => {
    for (const body of [said('a'), '{', 'x'.repeat(1024 * 1024)])
      expect((await reportFrom(stranger, body)).error).toBe('caller_not_allowed');
    expect(await rows()).toEqual([]);
  });

  it('with chat.open distinguishes chat_ids of strangers from those of game servers', async () => {
    await service.changeSettings({ chat: { open: true } });
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
    await service.changeSettings({});
  });

  it("rejects a chat_id that contains another caller's address", async () => {
    await service.changeSettings({ chat: { open: true } });
    const forged = await reportFrom(stranger, said('198.51.100.1 a'));
    expect(forged.error).toBe('invalid_request');
    await service.changeSettings({});
  });

  /** Sends parallel reports and delays the database until all of them have arrived. */
  async function reportAtOnce(answer: (statement: () => Promise<unknown>) => Promise<unknown>) {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const really = service.database.query.bind(service.database);
    // Background statements of the service must not be delayed.
    const isChat = (sql: string) => sql.startsWith('INSERT INTO chat');
    const query = vi.spyOn(service.database, 'query').mockImplementation(async (...statement) => {
      if (!isChat(statement[0])) return really(...statement);
      await gate;
      return answer(() => really(...statement));
    });
    const sent = () => query.mock.calls.filter(([sql]) => isChat(sql));
    const reports = Promise.all(times(PARALLEL, (id) => report(said(id))));
    const { batcher } = service.app.get<ChatTable, WithBatcher>(ChatTable);
    const underWay = () => sent().reduce((sum, [, values]) => sum + rowsOf(values), 0);
    await until(() => underWay() + batcher.waiting.length === PARALLEL);
    open();
    const answers = await reports;
    const statements = sent().length;
    query.mockRestore();
    return { answers, statements };
  }

  it('combines parallel reports into few statements', async () => {
    const { answers, statements } = await reportAtOnce((statement) => statement());
    expect(answers.every(({ body }) => body.data.accepted === 1)).toBe(true);
    expect(statements).toBeLessThanOrEqual(3);
    expect(await rows()).toHaveLength(PARALLEL);
  });

  it('rejects parallel reports together while the database is unreachable', async () => {
    const refused = new NoDatabaseConnection(new Error('not there'));
    const { answers, statements } = await reportAtOnce(() => Promise.reject(refused));
    expect(answers.every(({ body }) => body.error === 'service_unavailable')).toBe(true);
    expect(statements).toBeLessThanOrEqual(2);
    expect((await report(said(1))).body.data.accepted).toBe(1);
  });
});

interface Rejected {
  index: number;
  field: string;
}

/** Converts a raw SQL date, which is a Date on MariaDB and text on the embedded database. */
function utc(value: unknown): number {
  return value instanceof Date ? value.getTime() : Date.parse(`${String(value)}Z`);
}
