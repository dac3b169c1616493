import { NestFactory } from '@nestjs/core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { GmClient } from '../../../src/features/withdraw/game/gm-client.js';
import { SqlEditsService } from '../../../src/platform/audit/sql-edits.service.js';
import { WithdrawalSqlEdits } from '../../../src/features/withdraw/record/withdrawal-sql-edits.js';
import { WithdrawalStore } from '../../../src/features/withdraw/record/withdrawal-store.js';
import {
  WithdrawalCommand,
  WithdrawalCommandModule,
} from '../../../src/operators/cli/withdrawal/withdrawal.command.js';
import { CommandModule } from '../../../src/operators/cli/command-context.js';
import { WithdrawalEvent } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { captureLog } from '../../support/api/captured-log.js';
import { leftBehind } from '../../support/api/interrupted-withdrawals.js';
import { until } from '../../support/until.js';
import { ASKING, GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';

let w: Withdrawals;

beforeAll(async () => {
  w = await Withdrawals.start();
});
afterEach(() => w.settleTest());
afterAll(() => w.stop());

const eventsOf = (withdrawId: number) =>
  w.service.database
    .getRepository(WithdrawalEvent)
    .find({ where: { withdrawId }, order: { id: 'ASC' } });

describe('UnknownWithdrawalsService', () => {
  beforeAll(() => w.service.changeSettings({ withdraw: ASKING }));
  afterAll(() => w.service.changeSettings({ withdraw: GM_TIMEOUT }));

  it('marks an order as succeeded if the game has applied it', async () => {
    const rich = await w.createUnknown('hang_after');
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'succeeded', reason: null });
    expect((await eventsOf(rich.id)).at(-1)).toMatchObject({ cause: 'gm_query' });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('marks an order as failed if the game has not applied it after a minute', async () => {
    const rich = await w.createUnknown('reset_before');
    await w.age(61);
    await w.sweep();
    const row = await w.rowOf(rich);
    // The game server could be reached, so the reason must not say otherwise.
    expect(row).toMatchObject({ status: 'failed', reason: null });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });
});

describe('A role with an unknown withdrawal on a merged server', () => {
  it('stays locked under both server ids', async () => {
    const rich = await w.createUnknownBeforeMerge(w.server);
    for (const server of [rich.server, w.server])
      expect((await w.withdraw({ ...rich, server }, 100)).body.error).toBe('withdrawal_open');
    const { id } = await w.rowOf(rich);
    await w.service.database.query(`UPDATE withdraw SET status = 'failed' WHERE id = ${id}`);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    await w.sweep();
  });

  it('stays locked after a second merge', async () => {
    const between = await w.addServer();
    const rich = await w.createUnknownBeforeMerge(between);
    await w.merge(between, w.server);
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
  });
});

describe('WithdrawalSweeper', () => {
  it('ignores recent withdrawals', async () => {
    const [created, sending] = [await leftBehind(w, 'created'), await leftBehind(w, 'sending')];
    await w.age(15);
    await w.sweep();
    expect(await w.rowOf(created)).toMatchObject({ status: 'created' });
    expect(await w.rowOf(sending)).toMatchObject({ status: 'sending' });
    await w.age(20);
    await w.sweep();
  });

  it('marks a withdrawal that was never sent as failed and unlocks the role', async () => {
    const rich = await leftBehind(w, 'created');
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
    await w.age(31);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'failed', orderNo: null });
    const repeat = await w.withdraw(rich, 100, { key: 'left' });
    expect(repeat.body.error).toBe('service_unavailable');
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('marks a withdrawal that may have been sent as unknown and keeps the role locked', async () => {
    const rich = await leftBehind(w, 'sending');
    await w.age(31);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
    expect((await w.withdraw(rich, 100, { key: 'left' })).status).toBe(202);
  });

  it('marks a pending call as unknown after 30 s and applies its late response', async () => {
    w.game.fault = () => 'hang_before';
    const [accepted, refused] = [await w.createFundedRole(1000), await w.createFundedRole(1000)];
    const answers = [w.withdraw(accepted, 100), w.withdraw(refused, 100)];
    const statuses = async () => [
      (await w.rows({ roleId: accepted.role }))[0]?.status,
      (await w.rows({ roleId: refused.role }))[0]?.status,
    ];
    await until(() => w.game.hangingCount === 2);
    await w.age(20);
    await w.sweep();
    expect(await statuses()).toEqual(['sending', 'sending']);
    await w.age(10);
    await w.sweep();
    expect(await statuses()).toEqual(['unknown', 'unknown']);

    await w.world.removeRole(w.server, refused.role);
    await w.game.release();
    expect((await answers[0])!.body.data.status).toBe('succeeded');
    expect((await answers[1])!.body.error).toBe('withdrawal_refused');
    expect(await statuses()).toEqual(['succeeded', 'failed']);
  });
});

describe('A withdrawal changed by SQL or by command', () => {
  const settle = (id: number, status: string) =>
    w.service.database.query(`UPDATE withdraw SET status = '${status}' WHERE id = ${id}`);

  it('unlocks the role immediately and is recorded as an event', async () => {
    const rich = await w.createUnknown('reset_before');
    await settle(rich.id, 'failed');
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    await w.sweep();
    const events = await eventsOf(rich.id);
    expect(events.at(-1)).toMatchObject({
      fromStatus: 'unknown',
      toStatus: 'failed',
      cause: 'sql',
    });
    const [row] = await w.rows({ id: rich.id });
    expect(row!.settledAt).not.toBeNull();
  });

  it('is recorded once by several instances, whatever the other columns contain', async () => {
    const recorders = Array.from({ length: 4 }, () => {
      const recorder = new SqlEditsService();
      recorder.register('withdrawals', w.service.app.get(WithdrawalSqlEdits));
      return recorder;
    });
    const { id } = await w.createUnknown('reset_after');
    for (const status of ['sending', 'unknown', 'succeeded', 'failed', 'unknown', 'succeeded']) {
      await settle(id, status);
      await Promise.all(recorders.map((recorder) => recorder.recordAll()));
    }
    const edits = (await eventsOf(id)).filter(({ cause }) => cause === 'sql');
    expect(edits.map(({ toStatus }) => toStatus)).toEqual([
      'sending',
      'unknown',
      'succeeded',
      'failed',
      'unknown',
      'succeeded',
    ]);
    expect(await w.rows({ id })).toMatchObject([{ settledAt: expect.any(Date) }]);
  });

  it('clears the reason when it becomes succeeded', async () => {
    const { id } = await w.createUnknown('reset_after');
    const because = { cause: 'person', evidence: 'wrong' } as const;
    const reason = 'game_server_unavailable';
    const [row] = await w.rows({ id });
    await w.service.app
      .get(WithdrawalStore)
      .transition(row!, 'unknown', 'failed', because, { reason });
    await settle(id, 'succeeded');
    await w.sweep();
    expect(await w.rows({ id })).toMatchObject([{ status: 'succeeded', reason: null }]);
  });

  it.each(['created', 'nonsense', ''])(
    'cannot become "%s" once the order was sent',
    async (status) => {
      const { id } = await w.createUnknown('reset_after');
      await expect(settle(id, status)).rejects.toThrow();
      await w.sweep();
    },
  );

  it('cannot become succeeded if it was never sent', async () => {
    const rich = await w.createFundedRole(100);
    await w.withdraw(rich, 200);
    await expect(settle((await w.rowOf(rich)).id, 'succeeded')).rejects.toThrow();
  });

  it('cannot be reopened while the role has another open withdrawal', async () => {
    const rich = await w.createFundedRole(1000);
    await w.withdraw(rich, 100);
    const { id } = await w.rowOf(rich);
    w.game.fault = () => 'reset_before';
    await w.withdraw(rich, 100);
    await expect(settle(id, 'unknown')).rejects.toThrow();
  });

  it('changes once when an operator, the sweeper and a late response settle it in parallel', async () => {
    const command = await NestFactory.createApplicationContext(
      CommandModule.forRoot(w.service.app.get(Environment), WithdrawalCommandModule),
      { logger: false, abortOnError: false },
    );
    await w.service.changeSettings({ withdraw: ASKING });
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_before';
    const answer = w.withdraw(rich, 100);
    await until(() => w.game.hangingCount === 1);
    const row = await w.rowOf(rich);
    const { id, orderNo } = row;
    const because = { cause: 'sweeper', evidence: 'race' } as const;
    await w.service.app.get(WithdrawalStore).transition(row, 'sending', 'unknown', because);
    const gm = w.service.app.get(GmClient);
    const ask = gm.queryOrder.bind(gm);
    let person: Promise<unknown> | undefined;
    const asked = vi.spyOn(gm, 'queryOrder').mockImplementation(async (...question) => {
      if (question[2] === orderNo) {
        await w.game.release();
        const given = { by: 'anna', note: 'race', yes: true };
        person = Promise.allSettled([command.get(WithdrawalCommand).settle([id], 'failed', given)]);
      }
      return ask(...question);
    });
    await until(() => w.sweep().then(() => person !== undefined));
    await Promise.all([person, answer]);
    asked.mockRestore();

    const events = await eventsOf(id);
    const settling = events.filter(({ fromStatus, toStatus }) => fromStatus !== toStatus).slice(3);
    expect(settling).toHaveLength(1);
    expect(await w.rowOf(rich)).toMatchObject({ status: settling[0]!.toStatus });
    await w.service.database.query(
      `DELETE FROM withdraw_event WHERE withdraw_id = ${id} AND from_status = to_status`,
    );
    await settle(id, 'succeeded');
    await w.sweep();
    await w.service.changeSettings({ withdraw: GM_TIMEOUT });
    await command.close();
  });
});

describe('A withdrawal whose GM command is pending', () => {
  it('keeps a contradictory settlement, records the late response and is not reported as failed', async () => {
    const log = captureLog();
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_before';
    const answer = w.withdraw(rich, 100);
    await until(() => w.game.hangingCount === 1);
    const { id } = await w.rowOf(rich);
    const settle = (status: string) =>
      w.service.database.query(`UPDATE withdraw SET status = '${status}' WHERE id = ${id}`);
    await settle('failed');
    await w.game.release();
    expect(await answer).toMatchObject({ status: 202, body: { data: { status: 'unknown' } } });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      fromStatus: 'failed',
      toStatus: 'failed',
      cause: 'gm',
      evidence: expect.stringContaining('HTTP 200 {"code":0,'),
    });
    expect(log.text).toContain(`${id} was settled failed, but the game server says accepted`);
    log.release();
    await settle('succeeded');
    await w.sweep();
  });

  it('is settled by the late response, with both events, after SQL made it unknown', async () => {
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_before';
    const answer = w.withdraw(rich, 100);
    await until(() => w.game.hangingCount === 1);
    const { id } = await w.rowOf(rich);
    await w.service.database.query(`UPDATE withdraw SET status = 'unknown' WHERE id = ${id}`);
    await w.game.release();
    expect((await answer).body.data.status).toBe('succeeded');
    expect((await eventsOf(id)).slice(-2)).toMatchObject([
      { fromStatus: 'sending', toStatus: 'unknown', cause: 'sql' },
      { fromStatus: 'unknown', toStatus: 'succeeded', cause: 'gm' },
    ]);
  });
});
