import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AbandonedWithdrawals } from '../../src/features/withdraw/withdrawal-sweeper.js';
import { WithdrawalStore } from '../../src/features/withdraw/record/withdrawal-store.js';
import { Withdrawal } from '../../src/features/withdraw/record/withdrawal.entity.js';
import { captureLog } from '../support/api/captured-log.js';
import { FakeGameServer, QUERY_OP } from '../support/api/game-server.js';
import { hanging, leftBehind, loseStepToSending } from '../support/api/interrupted-withdrawals.js';
import { SECRETS } from '../support/accounts.js';
import { expectLedgersToAgree, GM_TIMEOUT, Withdrawals } from '../support/api/withdrawals.js';

let w: Withdrawals;
let book: WithdrawalStore;

beforeAll(async () => {
  w = await Withdrawals.start();
  book = w.service.app.get(WithdrawalStore);
});
afterEach(async () => {
  w.game.fault = () => 'none';
  w.game.dropHanging();
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

const sql = (statement: string) => w.service.database.query(statement);

it('A GM command is logged before its outcome is known', async () => {
  const log = captureLog();
  const { answer, row, player, role } = await hanging(w);
  const { orderNo } = row;
  expect(log.lines.filter(({ order }) => order)).toMatchObject([
    {
      level: 'info',
      request_id: expect.any(String),
      msg: `withdrawal ${row.id} goes out`,
      server: w.server,
      order: { orderNo, playerId: player.id, roleId: role, amount: 100 },
    },
  ]);
  log.release();
  await w.game.release();
  await answer;
});

describe('A withdrawal whose status "sending" was lost', () => {
  it('is not marked as failed by the sweeper while the command is pending', async () => {
    const create = book.create.bind(book);
    vi.spyOn(book, 'create').mockImplementationOnce(async (...request) => {
      const outcome = await create(...request);
      const createdAt = new Date(Date.now() - 60_000);
      const { id } = outcome.withdrawal;
      await w.service.database.getRepository(Withdrawal).update(id, { createdAt });
      return { ...outcome, withdrawal: Object.assign(outcome.withdrawal, { createdAt }) };
    });
    const { answer, row } = await hanging(w);
    await loseStepToSending(w, row.id);
    await w.sweep();
    await w.game.release();
    expect((await answer).body.data).toMatchObject({ id: row.id, status: 'succeeded' });
  });

  it('is watched again from the beginning after a failed read', async () => {
    const abandoned = w.service.app.get(AbandonedWithdrawals);
    const { id } = (await leftBehind(w, 'created')).row;
    await w.age(60);
    const { manager } = abandoned['dataSource'];
    const query = manager.query.bind(manager);
    // Background statements of the service must not fail instead.
    const failing = vi.spyOn(manager, 'query').mockImplementation((text, values) => {
      const isSearch = text.includes(`status IN ('created', 'sending', '')`);
      return isSearch ? Promise.reject(new Error('away')) : query(text, values);
    });
    await expect(abandoned.find()).rejects.toThrow('away');
    failing.mockRestore();
    await w.sweep();
    expect(await w.rows({ id })).toMatchObject([{ status: 'created' }]);
    await w.age(30);
    await w.sweep();
    expect(await w.rows({ id })).toMatchObject([{ status: 'failed', orderNo: null }]);
  });
});

describe('A withdrawal with a timestamp in the future', () => {
  const nextYear = () => new Date(Date.now() + 365 * 24 * 60 * 60 * 1000);

  it("does not count towards today's limit", async () => {
    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, daily_max: 150 } });
    const rich = await w.createFundedRole(1000);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    expect((await w.withdraw(rich, 100)).body.error).toBe('amount_out_of_range');
    const { id } = await w.rowOf(rich);
    await w.service.database.getRepository(Withdrawal).update(id, { createdAt: nextYear() });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    await w.service.changeSettings({ withdraw: GM_TIMEOUT });
  });
});

describe('An unknown order whose server has a new GM address', () => {
  it('is not queried at the new address, which is logged once', async () => {
    const log = vi.spyOn(Logger.prototype, 'error');
    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) } });
    const elsewhere = await FakeGameServer.start(w.world, SECRETS.GM_SECRET);
    const server = await w.addServer();
    await w.untilListed(`"id":${server},`);
    const rich = await w.createFundedRole(1000, server);
    w.game.fault = () => 'reset_after';
    expect((await w.withdraw(rich, 100)).status).toBe(202);
    const point = async (port: number) => {
      const name = `on ${port} ${Math.random()}`;
      await sql(`UPDATE server SET gm_port = ${port}, name = '${name}' WHERE id = ${server}`);
      await w.untilListed(name);
    };
    await point(elsewhere.port);
    for (let round = 0; round < 2; round++) {
      await w.age(600);
      await w.sweep();
    }
    const row = await w.rowOf(rich);
    expect(row).toMatchObject({ status: 'unknown', asks: 0, gmPort: w.game.port });
    const told = log.mock.calls.filter(([text]) => String(text).includes(row.orderNo!));
    expect(told).toEqual([[expect.stringMatching(/names .* now; a person settles it/)]]);
    log.mockRestore();

    await point(w.game.port);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'succeeded' });
    await elsewhere.stop();
  });
});
