import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  Withdrawal,
  WithdrawalEvent,
} from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { sqlTime } from '../../../src/platform/database/sql.js';
import { WithdrawalStore } from '../../../src/features/withdraw/record/withdrawal-store.js';
import { createPlayer } from '../../support/api/factories.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import {
  callerOf,
  expectLedgersToAgree,
  GM_TIMEOUT,
  Withdrawals,
} from '../../support/api/withdrawals.js';

let w: Withdrawals;
let merged: number;

beforeAll(async () => {
  w = await Withdrawals.start();
  merged = await w.addServer({ mergedInto: w.server });
});
afterEach(async () => {
  w.game.fault = () => 'none';
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

describe("A role under another player's game_account", () => {
  it('is neither visible to nor usable by the player with that account name', async () => {
    const [rich, owner] = [await w.createFundedRole(1000), await w.createFundedRole(1000)];
    const set = 'UPDATE player SET game_account = ? WHERE id = ?';
    await w.service.database.query(set, [rich.player.account, owner.player.id]);
    const roles = async (token: string) =>
      (await w.service.client.get(`/api/game/roles?server_id=${w.server}`, { token })).body.data
        .roles;
    expect(await roles(rich.token)).toEqual([]);
    expect((await w.withdraw(rich, 100)).body.error).toBe('role_not_found');
    expect(await w.rows({ playerId: rich.player.id })).toEqual([]);
    expect(await roles(owner.token)).toMatchObject([{ role_id: rich.role }]);
    expect((await w.withdraw({ ...owner, role: rich.role }, 100)).status).toBe(200);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(900);
    // A name that differs in case or spaces does not match the role.
    for (const other of [rich.player.account.toUpperCase(), `${rich.player.account} `]) {
      await w.service.database.query(set, [other, owner.player.id]);
      expect(await roles(rich.token)).toMatchObject([{ role_id: rich.role }]);
      expect((await w.withdraw(rich, 100)).status).toBe(200);
    }
  });
});

describe('POST /api/game/withdraw', () => {
  it('deducts the amount once and records every step', async () => {
    const rich = await w.createFundedRole(1000);
    const answer = await w.withdraw(rich, 300);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-hit')).toBeNull();
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      server_id: w.server,
      role_id: rich.role,
      role_name: `role${rich.role}`,
      amount: 300,
      status: 'succeeded',
      reason: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      settled_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(700);
    const row = await w.rowOf(rich);
    const request = answer.headers.get('x-request-id')!;
    const { id: playerId } = rich.player;
    expect(row).toMatchObject({ balanceBefore: 1000, playerId, requestId: request });
    expect(row.address).toBe('127.0.0.1');
    expect(w.game.ledger.get(row.orderNo!)).toMatchObject({ requests: 1, applications: 1 });
    const events = await w.service.database
      .getRepository(WithdrawalEvent)
      .find({ where: { withdrawId: row.id }, order: { id: 'ASC' } });
    const evidence = `player ${playerId}, request ${request}`;
    expect(events).toMatchObject([
      { fromStatus: null, toStatus: 'created', cause: 'request', evidence },
      { fromStatus: 'created', toStatus: 'sending', cause: 'balance', evidence: 'balance 1000' },
      {
        fromStatus: 'sending',
        toStatus: 'succeeded',
        cause: 'gm',
        evidence: expect.stringMatching(/^HTTP 200 {"code":0,"order_no":"W\d+-\w+"}$/),
      },
    ]);
    const find = (requestId: string) =>
      w.service.database.getRepository(Withdrawal).findBy({ requestId });
    expect(await find(request)).toMatchObject([{ id: row.id }]);
    expect(await find(request.toLowerCase())).toEqual([]);
  });

  it('rejects an amount above the balance', async () => {
    const rich = await w.createFundedRole(299);
    const key = 'too-much';
    const answer = await w.withdraw(rich, 300, { key });
    expect(answer.body).toMatchObject({ code: 42202, error: 'insufficient_balance' });
    expect(await w.rowOf(rich)).toMatchObject({
      status: 'refused',
      reason: 'insufficient_balance',
      orderNo: null,
    });
    const again = await w.withdraw(rich, 300, { key });
    expect(again.body.error).toBe('insufficient_balance');
    expect(again.headers.get('idempotency-hit')).toBe('true');
  });

  it('locks a role of a merged server under both server ids', async () => {
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_after';
    await w.withoutPatience(async () => expect((await w.withdraw(rich, 100)).status).toBe(202));
    const other = await w.withdraw({ ...rich, server: merged }, 100);
    expect(other.body.error).toBe('withdrawal_open');

    w.game.fault = () => 'none';
    const another = await w.createFundedRole(1000);
    const answer = await w.withdraw({ ...another, server: merged }, 100);
    expect(answer.body.data).toMatchObject({ server_id: merged, status: 'succeeded' });
    expect(await w.rowOf(another)).toMatchObject({ serverId: merged, roleServerId: w.server });
  });
});

describe('The withdrawal settings', () => {
  afterEach(() => w.service.changeSettings({ withdraw: GM_TIMEOUT }));

  it("limit a player's daily total, even for parallel requests", async () => {
    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, daily_max: 500 } });
    const rich = await w.createFundedRole(10_000);
    const roles = await Promise.all(
      Array.from({ length: 11 }, () =>
        w.world.createRole(w.server, { account: rich.player.account, balance: 1000 }),
      ),
    );
    const all = await allAtOnce(
      [rich.role, ...roles].map((role) => () => w.withdraw({ ...rich, role }, 100)),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = all.filter(({ status }) => status !== 200);
    for (const { body } of refused) expect(body.error).toBe('amount_out_of_range');

    // Rejected and failed withdrawals do not count, and neither do yesterday's.
    await w.age(24 * 60 * 60);
    const poor = await w.world.createRole(w.server, { account: rich.player.account, balance: 0 });
    expect((await w.withdraw({ ...rich, role: poor }, 500)).body.error).toBe(
      'insufficient_balance',
    );
    expect((await w.withdraw(rich, 400)).status).toBe(200);
    expect((await w.withdraw(rich, 101)).body.error).toBe('amount_out_of_range');
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('limit even the largest safe integers exactly, and these are stored unchanged', async () => {
    const book = w.service.app.get(WithdrawalStore);
    const player = await createPlayer(w.service);
    const { id, account } = player;
    const [most, server] = [
      Number.MAX_SAFE_INTEGER,
      { serverId: w.server, roleServerId: w.server },
    ];
    const day = { most, from: sqlTime(0), to: sqlTime(Date.now() + 60_000), nameInGame: account };
    const client = { requestId: null, address: null, sessionId: null };
    const named = { roleName: 'role', idempotencyKey: null, ...client };
    const create = (roleId: number, amount: number) =>
      book.create(
        { playerId: id, ...server, ...named, roleId, amount, createdAt: new Date() },
        day,
        callerOf(player),
      );
    await create(most, most - 1);
    await create(most - 1, 1);
    await expect(create(most - 2, 1)).rejects.toMatchObject({ error: 'amount_out_of_range' });
    expect(await w.rows({ playerId: id })).toMatchObject([
      { roleId: most, amount: most - 1 },
      { roleId: most - 1, amount: 1 },
    ]);
  });
});

describe('The Idempotency-Key header', () => {
  it('returns the first response for a repeated request without a second call', async () => {
    const rich = await w.createFundedRole(1000);
    const first = await w.withdraw(rich, 100, { key: 'once' });
    const second = await w.withdraw(rich, 100, { key: 'once' });
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotency-hit')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(900);
    // Keys are case-sensitive.
    const other = await w.withdraw(rich, 100, { key: 'ONCE' });
    expect(other.headers.get('idempotency-hit')).toBeNull();
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(800);
  });

  it('creates only one withdrawal for 200 parallel requests with the same key', async () => {
    const rich = await w.createFundedRole(10_000);
    const key = randomUUID();
    const send = () => w.withdraw(rich, 100, { key });
    const answers = await allAtOnce(times(200, () => send));
    // On a busy machine the single withdrawal may fail before it is sent, but it is never sent twice.
    const { id, status, orderNo } = await w.rowOf(rich);
    expect(['succeeded', 'failed']).toContain(status);
    const sent = status === 'succeeded' ? 1 : 0;
    expect(w.game.ledger.get(orderNo!)?.requests ?? 0).toBe(sent);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(10_000 - sent * 100);
    const own = answers.filter(({ headers }) => headers.get('idempotency-hit') === null);
    expect(own.filter(({ body }) => body.data).length).toBeLessThanOrEqual(sent);
    for (const answer of answers)
      if (answer.status === 200) expect(answer.body.data).toMatchObject({ id, status });
      else if (answer.status !== 503) expect(answer.body.error).toBe('idempotency_conflict');
    const repeat = await send();
    expect(repeat.headers.get('idempotency-hit')).toBe('true');
    expect(repeat.status).toBe(sent ? 200 : 503);
  });
});

describe('Parallel withdrawals from one role', () => {
  it('never deduct more than the balance', async () => {
    const rich = await w.createFundedRole(350);
    const answers = await allAtOnce(times(200, () => () => w.withdraw(rich, 100)));
    // Overlapping requests for the same role are rejected, so fewer than three may succeed.
    while (answers.at(-1)!.body.error !== 'insufficient_balance')
      answers.push(await w.withdraw(rich, 100));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body } of answers)
      if (status !== 200) expect(['withdrawal_open', 'insufficient_balance']).toContain(body.error);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(50);
    const rows = await w.rows({ roleId: rich.role });
    expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(3);
  });

  it('are sent one at a time while the game server hangs', async () => {
    const rich = await w.createFundedRole(100_000);
    w.game.fault = () => 'hang_after';
    const answers = await w.withoutPatience(() =>
      allAtOnce(times(20, () => () => w.withdraw(rich, 100))),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'withdrawal_open')).toHaveLength(19);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(99_900);
  });
});

describe('GET /api/game/withdraw', () => {
  it("lists the caller's withdrawals in pages, newest first", async () => {
    const rich = await w.createFundedRole(1000);
    await w.withdraw(await w.createFundedRole(), 100);
    for (const amount of [100, 110, 120]) await w.withdraw(rich, amount);
    const page = async (query = '') =>
      (await w.service.client.get(`/api/game/withdraw${query}`, rich)).body.data.withdrawals;
    const all = await page();
    expect(all).toMatchObject([{ amount: 120 }, { amount: 110 }, { amount: 100 }]);
    expect(await page('?limit=1')).toEqual([all[0]]);
    expect(await page(`?limit=1&before=${all[0].id}`)).toEqual([all[1]]);
    const tooMany = await w.service.client.get('/api/game/withdraw?limit=101', rich);
    expect(tooMany.body.error).toBe('invalid_request');
  });

  it('shows what is left of the daily limit', async () => {
    const rich = await w.createFundedRole(1000);
    const left = async () =>
      (await w.service.client.get('/api/game/withdraw?limit=1', rich)).body.data.left_today;
    const before = await left();
    await w.withdraw(rich, 300);
    expect(await left()).toBe(before - 300);
    w.game.fault = () => 'refuse';
    await w.withdraw(rich, 200);
    expect(await left()).toBe(before - 300);
  });
});
