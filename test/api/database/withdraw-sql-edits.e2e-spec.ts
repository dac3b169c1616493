import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WithdrawalEvent } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { QUERY_OP } from '../../support/api/game-server.js';
import { hanging, leftBehind } from '../../support/api/interrupted-withdrawals.js';
import { dropWithdrawalChecks, runAsEditor } from '../../support/api/sql-editor.js';
import { expectLedgersToAgree, GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';

let w: Withdrawals;

beforeAll(async () => {
  w = await Withdrawals.start();
  await dropWithdrawalChecks(w.service);
});
afterEach(async () => {
  w.game.fault = () => 'none';
  w.game.dropHanging();
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

const setStatus = (id: number, status: string) =>
  runAsEditor(w.service, `UPDATE withdraw SET status = '${status}' WHERE id = ${id}`);
const lastEventsOf = async (withdrawId: number) =>
  (
    await w.service.database
      .getRepository(WithdrawalEvent)
      .find({ where: { withdrawId }, order: { id: 'ASC' } })
  ).slice(-2);

describe('A withdrawal with an unreadable status', () => {
  it('locks its role, is returned for its key and becomes unknown in the next sweep', async () => {
    const [{ row, ...rich }, other] = [
      await leftBehind(w, 'sending'),
      await leftBehind(w, 'sending'),
    ];
    await setStatus(row.id, '');
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
    const repeat = await w.withdraw(rich, 100, { key: 'left' });
    expect(repeat.body.error).toBe('idempotency_conflict');
    await w.sweep();
    await w.age(31);
    await w.sweep();
    expect(await w.rows({ id: row.id })).toMatchObject([{ status: 'unknown' }]);
    expect(await w.rows({ id: other.row.id })).toMatchObject([{ status: 'unknown' }]);
    expect((await w.withdraw(rich, 100, { key: 'left' })).status).toBe(202);
  });

  it('becomes failed if it was never sent', async () => {
    const { row, ...rich } = await leftBehind(w, 'created');
    await setStatus(row.id, '');
    await w.age(31);
    await w.sweep();
    expect(await w.rows({ id: row.id })).toMatchObject([{ status: 'failed' }]);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('gets the outcome of its command', async () => {
    const { answer, row } = await hanging(w);
    await setStatus(row.id, '');
    await w.game.release();
    expect((await answer).body.data).toMatchObject({ id: row.id, status: 'succeeded' });
  });
});

describe('A withdrawal that SQL set back to created with its order number', () => {
  it('gets the outcome of its command', async () => {
    const { answer, row } = await hanging(w);
    await setStatus(row.id, 'created');
    await w.game.release();
    expect((await answer).body.data).toMatchObject({ id: row.id, status: 'succeeded' });
    expect(await lastEventsOf(row.id)).toMatchObject([
      { fromStatus: 'sending', toStatus: 'created', cause: 'sql' },
      { fromStatus: 'created', toStatus: 'succeeded', cause: 'gm' },
    ]);
  });

  it('becomes unknown, not failed, if its process has died', async () => {
    const { row, ...rich } = await leftBehind(w, 'sending');
    await setStatus(row.id, 'created');
    await w.age(31);
    await w.sweep();
    expect(await w.rows({ id: row.id })).toMatchObject([{ status: 'unknown' }]);
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
  });
});

describe("An unknown order whose server's GM interface is spelled in a different case", () => {
  async function unknownOn(edit: string) {
    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) } });
    const server = await w.addServer({ gmAddress: 'localhost' });
    await w.untilListed(`"id":${server},`);
    const rich = await w.createFundedRole(1000, server);
    w.game.fault = () => 'reset_after';
    expect((await w.withdraw(rich, 100)).status).toBe(202);
    const name = `edited ${server}`;
    await runAsEditor(
      w.service,
      `UPDATE server SET ${edit}, name = '${name}' WHERE id = ${server}`,
    );
    await w.untilListed(name);
    await w.age(600);
    await w.sweep();
    return w.rowOf(rich);
  }

  it('is queried if only the host differs, because host names are case-insensitive', async () => {
    expect(await unknownOn("gm_address = 'LOCALHOST'")).toMatchObject({ status: 'succeeded' });
  });

  it('is reported if the path differs, because paths are case-sensitive', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const { status, orderNo } = await unknownOn("gm_path = '/GM'");
    expect(status).toBe('unknown');
    const told = error.mock.calls.filter(([text]) => String(text).includes(orderNo!));
    expect(told).toEqual([[expect.stringMatching(/names .*\/GM now; a person settles it/)]]);
    error.mockRestore();
  });
});
