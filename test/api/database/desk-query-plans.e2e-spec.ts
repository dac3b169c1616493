import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { WithdrawalSqlEdits } from '../../../src/features/withdraw/record/withdrawal-sql-edits.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

const ROWS = 3000;
const { kind } = inject('database');

let service: TestApp;
let desk: TestDesk;
let admin: DeskUser;
let victim: number;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  admin = await deskUser(desk, 'admin');
  await fill('player (account, password, created_at)', (n) => [`plan${n}`, '-', time(n, 19)]);
  [{ id: victim }] = await service.database.query(`SELECT id FROM player WHERE account = 'plan7'`);
  await fill('player_connect_threeparty (player_id, provider, connect_id)', (n) => [
    victim + n - 7,
    n % 2 ? 'forum' : 'weixin',
    `plan ${n}`,
  ]);
  await fill('chat (server_id, account, content, time)', (n) => [
    n % 4,
    `plan${n % 5}`,
    'words',
    time(n, 19),
  ]);
  await fill('login_event (created_at, way, outcome, player_id, address)', (n) => [
    time(n, 23),
    'login',
    n < 10 ? 'ok' : 'bad_credentials',
    victim + (n % 5),
    `198.18.0.${n % 200}`,
  ]);
  await fill(
    'withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status, order_no, created_at, settled_at)',
    (n) => {
      const status = n % 10 ? 'succeeded' : 'refused';
      const order = n % 10 ? `P${n}` : null;
      return [victim + (n % 50), n % 4, n % 4, n, 'r', 1, status, order, time(n, 23), time(n, 23)];
    },
  );
  await fill('withdraw_event (withdraw_id, to_status, cause, evidence, created_at)', (n) => [
    n,
    n % 10 ? 'succeeded' : 'refused',
    'gm',
    '',
    time(n, 23),
  ]);
  await fill('audit_event (created_at, operator, act, subject, note)', (n) => [
    time(n, 23),
    `op${n % 7}`,
    `plan.${n % 11}`,
    `plan ${n % 13}`,
    '',
  ]);
  if (kind === 'embedded') return;
  await service.database.query(
    'ANALYZE TABLE player, player_connect_threeparty, chat, login_event, withdraw, withdraw_event, audit_event',
  );
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const time = (n: number, length: number) =>
  new Date(Date.UTC(2026, 10, 1) + n * 60_000).toISOString().slice(0, length).replace('T', ' ');

async function fill(into: string, row: (n: number) => unknown[]): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, n) => row(n + 1));
  for (let from = 0; from < ROWS; from += 500) {
    const part = rows.slice(from, from + 500);
    const values = part.map((one) => `(${one.map(() => '?').join()})`).join();
    await service.database.query(`INSERT INTO ${into} VALUES ${values}`, part.flat());
  }
}

/** Returns the keys that each of a page's statements on a table uses, and the database's other plan notes. */
async function plansOf(path: string, table: string) {
  const told = vi.spyOn(desk.app.get(DataSource).logger, 'logQuery');
  expect((await admin.get(path)).status).toBe(200);
  const asked = told.mock.calls
    // Only the inner SELECT of a grouped query counts because its few groups are sorted in memory.
    .map(
      ([sql, values]) =>
        [
          /\((SELECT .*)\) \w+\s+(?:WHERE .*)?GROUP BY/s.exec(sql)?.[1] ?? sql,
          values as unknown[] | undefined,
        ] as const,
    )
    .filter(
      ([sql]) =>
        new RegExp(`FROM .?${table}\\b`).test(sql) &&
        / LIMIT |MAX/.test(sql) &&
        !/GROUP BY/.test(sql),
    );
  told.mockRestore();
  return explain(asked);
}

async function explain(asked: ReadonlyArray<readonly [string, unknown[]?]>) {
  const words = kind === 'embedded' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL';
  const steps: Array<Record<string, unknown>> = [];
  for (const [sql, values] of asked)
    steps.push(...(await service.database.query(`${words} ${sql}`, values?.flat())));
  return {
    keys: steps.map(({ key, detail }) => key ?? /INDEX (\w+)/.exec(String(detail))?.[1]),
    text: JSON.stringify(steps),
  };
}

// These notes mean a full table scan or a sort.
const SLOW = /"type":"ALL"|SCAN \w+"|filesort|TEMP B-TREE/;

describe("The desk's queries", () => {
  it.each([
    ['/api/players?q=plan77', 'player', 'player_account'],
    ['/api/players?after=plan5', 'player', 'player_account'],
    ['/api/players?q=connect:plan%207', 'player_connect_threeparty', 'player_connect_identity'],
    ['/api/requests/plan7', 'withdraw', 'withdraw_request'],
    ['/api/withdrawals?limit=1', 'withdraw', 'withdraw_created_at'],
    ['/api/withdrawals?status=succeeded', 'withdraw', 'withdraw_status'],
    ['/api/withdrawals?server=1&since=2026-11-01T01:00:00Z', 'withdraw', 'withdraw_server'],
    ['/api/withdrawals?server=1&status=refused', 'withdraw', 'withdraw_server_status'],
    ['/api/withdrawals?account=plan7', 'withdraw', 'withdraw_player'],
    ['/api/chat?limit=1', 'chat', 'chat_time'],
    ['/api/chat?until=2026-11-01T10:00:00Z', 'chat', 'chat_time'],
    ['/api/chat?server=1', 'chat', 'chat_server'],
    ['/api/chat?server=1&words=nothing', 'chat', 'chat_server'],
    ['/api/chat?account=plan1', 'chat', 'chat_account'],
    ['/api/audit?limit=1', 'audit_event', 'audit_event_created_at'],
    ['/api/audit?by=op1', 'audit_event', 'audit_event_operator'],
    ['/api/audit?act=plan.1', 'audit_event', 'audit_event_act'],
    ['/api/audit?by=op1&act=plan.1', 'audit_event', 'audit_event_operator_act'],
  ])('read %s in index order', async (path, table, key) => {
    const { keys, text } = await plansOf(path, table);
    expect(keys).toContain(key);
    expect(text).not.toMatch(SLOW);
  });

  it.each([
    ['withdraw', '/api/withdrawals?status=succeeded'],
    ['withdraw', '/api/withdrawals?server=1'],
    ['audit_event', '/api/audit?act=plan.1'],
    ['chat', '/api/chat?server=1'],
  ])('read the next page of %s as an index range: %s', async (table, path) => {
    const middle = `SELECT MIN(id) + ${ROWS / 2} AS id FROM ${table}`;
    const [{ id }] = await service.database.query(middle);
    const { text } = await plansOf(`${path}&before=${id}`, table);
    expect(text).toMatch(kind === 'embedded' ? /=\? AND \w+<\?\)/ : /"type":"range"/);
    expect(text).not.toMatch(/"type":"ref"/);
  });

  it("use indexes to find a player's sign-ins", async () => {
    // The clock is set back to the time of the sample data so that there are sign-ins from the last 24 hours.
    const back = Date.UTC(2026, 10, 2) - Date.now();
    const page = await withClockAhead(back / 1000, () =>
      plansOf(`/api/players/${victim}`, 'login_event'),
    );
    // The page reads the ten newest sign-ins, the newest successful one, and those that may have locked the account.
    expect(page.keys).toHaveLength(3);
    expect(new Set(page.keys)).toEqual(
      new Set(['login_event_player_outcome', 'login_event_player_time']),
    );
    const timeline = await plansOf(`/api/players/${victim}/timeline`, 'login_event');
    expect(timeline.keys).toEqual(['login_event_player_time']);
    const search = await plansOf(`/api/players?q=id:${victim}`, 'login_event');
    expect(search.text).toContain(
      kind === 'embedded' ? 'login_event_player_outcome' : 'Select tables optimized away',
    );
    expect(page.text + timeline.text + search.text).not.toMatch(SLOW);
  });

  it('count the players of promoters a day at a time and read nothing but indexes', async () => {
    const told = vi.spyOn(desk.app.get(DataSource).logger, 'logQuery');
    expect((await admin.get('/api/promoters?days=1')).status).toBe(200);
    const asked = told.mock.calls.filter(([sql]) => sql.includes('AS promoter'));
    told.mockRestore();
    const { keys, text } = await explain(asked.map(([sql, values]) => [sql, values as unknown[]]));
    const ofADay = ['player_created', 'player_created', 'withdraw_player'];
    expect(keys.filter(Boolean)).toEqual([...ofADay, ...ofADay]);
    // A lookup of each row would take seconds for a million players.
    expect(text.match(/using (?:covering )?index/gi)).toHaveLength(keys.filter(Boolean).length);
  });

  it('are skipped for a subject that no index can match', async () => {
    const subject = encodeURIComponent('玩家 7');
    expect((await plansOf(`/api/audit?subject=${subject}`, 'audit_event')).keys).toEqual([]);
  });
});

it('The search for SQL edits of withdrawals uses indexes', async () => {
  const told = vi.spyOn(service.database.logger, 'logQuery');
  expect(await service.app.get(WithdrawalSqlEdits).findEdits()).toEqual([]);
  const [sql] = told.mock.calls.find(([text]) => text.includes('withdraw_event'))!;
  told.mockRestore();
  const { keys } = await explain([[sql]]);
  for (const key of ['withdraw_settled_at', 'withdraw_status', 'withdraw_event_withdraw'])
    expect(keys).toContain(key);
});
