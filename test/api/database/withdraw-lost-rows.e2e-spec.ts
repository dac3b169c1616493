import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import {
  WithdrawalEvent,
  Withdrawal,
} from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { WithdrawalOrphan } from '../../../src/features/withdraw/record/withdrawal-orphans.js';
import { captureLog } from '../../support/api/captured-log.js';
import { QUERY_OP } from '../../support/api/game-server.js';
import {
  hanging,
  leftBehind,
  loseStepToSending,
} from '../../support/api/interrupted-withdrawals.js';
import { expectLedgersToAgree, GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';

let w: Withdrawals;

beforeAll(async () => {
  w = await Withdrawals.start();
});
afterEach(async () => {
  w.game.fault = () => 'none';
  w.game.dropHanging();
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

const sql = (statement: string) => w.service.database.query(statement);
const eventsOf = (withdrawId: number) =>
  w.service.database
    .getRepository(WithdrawalEvent)
    .find({ where: { withdrawId }, order: { id: 'ASC' } });

/** Deletes the row and reuses its id, as after a failover that lost the last second. */
async function loseRow(id: number): Promise<void> {
  await sql(`DELETE FROM withdraw_event WHERE withdraw_id = ${id}`);
  await sql(`DELETE FROM withdraw WHERE id = ${id}`);
  await sql(
    inject('database').kind === 'embedded'
      ? `UPDATE sqlite_sequence SET seq = ${id - 1} WHERE name = 'withdraw'`
      : `ALTER TABLE withdraw AUTO_INCREMENT = ${id}`,
  );
}

describe('The outcome of a withdrawal whose row was lost', () => {
  it('does not affect another withdrawal with the same id and is stored as an orphan', async () => {
    const log = captureLog();
    const { answer, row, ...first } = await hanging(w);
    await loseRow(row.id);
    w.game.fault = () => 'reset_before';
    const second = await w.createFundedRole(1000);
    expect((await w.withdraw(second, 300)).status).toBe(202);
    expect(await w.rowOf(second)).toMatchObject({ id: row.id, status: 'unknown' });

    await w.game.release();
    const { status, body } = await answer;
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ role_id: first.role, amount: 100, status: 'unknown' });
    expect(await w.rowOf(second)).toMatchObject({ status: 'unknown', amount: 300 });
    const lookedUp = `/api/game/withdraw/${row.id}`;
    const { error } = (await w.service.client.get(lookedUp, { token: first.token })).body;
    expect(error).toBe('withdrawal_not_found');

    const orphans = w.service.database.getRepository(WithdrawalOrphan);
    expect(await orphans.findOneBy({ orderNo: row.orderNo! })).toMatchObject({
      outcome: 'accepted',
      withdrawId: row.id,
      playerId: first.player.id,
      gmPort: w.game.port,
      handledAt: null,
    });
    const told = log.lines.filter(({ msg }) => String(msg).includes(row.orderNo!));
    expect(told).toMatchObject([
      { level: 'error', order: { playerId: first.player.id, roleId: first.role, amount: 100 } },
    ]);
    log.release();
    await w.sweep();
    const metrics = (await w.service.client.get('/api/metrics')).text;
    expect(metrics).toMatch(/^gatehouse_withdrawals_orphaned [1-9]/m);
  });

  it('is stored as an orphan if the row lost the status "sending" and was marked as failed', async () => {
    const { answer, row } = await hanging(w);
    await loseStepToSending(w, row.id, 'failed');
    await sql(`UPDATE withdraw_event SET to_status = 'failed' WHERE withdraw_id = ${row.id}`);
    await w.game.release();
    expect((await answer).status).toBe(202);
    const orphans = w.service.database.getRepository(WithdrawalOrphan);
    expect(await orphans.countBy({ orderNo: row.orderNo! })).toBe(1);
  });
});

describe('A withdrawal whose status "sending" was lost', () => {
  it('recovers its order number, game server and outcome', async () => {
    const { answer, row } = await hanging(w);
    await loseStepToSending(w, row.id);
    await w.game.release();
    expect((await answer).body.data).toMatchObject({ id: row.id, status: 'succeeded' });
    const [restored] = await w.rows({ id: row.id });
    const { orderNo, sentAt, gmPort, balanceBefore } = row;
    const order = { orderNo, sentAt, gmPort, balanceBefore };
    expect(restored).toMatchObject({ ...order, status: 'succeeded', reason: null });
    const story = (await eventsOf(row.id)).map(({ toStatus }) => toStatus);
    expect(story).toEqual(['created', 'sending', 'succeeded']);
  });
});

describe('A withdrawal with a timestamp in the future', () => {
  const nextYear = () => new Date(Date.now() + 365 * 24 * 60 * 60 * 1000);

  it('is swept, reported and settled', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const { row: created } = await leftBehind(w, 'created');
    const { row: sending } = await leftBehind(w, 'sending');
    const rows = w.service.database.getRepository(Withdrawal);
    for (const { id, orderNo } of [created, sending])
      await rows.update(id, { createdAt: nextYear(), sentAt: orderNo ? nextYear() : null });
    await w.sweep();
    expect(await w.rows({ id: sending.id })).toMatchObject([{ status: 'sending' }]);
    await w.age(30);
    await w.sweep();
    expect(await w.rows({ id: created.id })).toMatchObject([{ status: 'failed' }]);
    expect(await w.rows({ id: sending.id })).toMatchObject([{ status: 'unknown' }]);
    const told = error.mock.calls.map(([text]) => String(text));
    expect(told).toContainEqual(expect.stringMatching(/unknown for more than 15 minutes/));
    error.mockRestore();

    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) } });
    await rows.update(sending.id, { askedAt: nextYear() });
    await w.sweep();
    expect(await w.rows({ id: sending.id })).toMatchObject([{ status: 'unknown', asks: 1 }]);
    await w.age(61);
    await w.sweep();
    expect(await w.rows({ id: sending.id })).toMatchObject([{ status: 'failed' }]);
    await w.service.changeSettings({ withdraw: GM_TIMEOUT });
  });
});
