import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Settings } from '../../src/platform/config/settings.js';
import {
  AbandonedWithdrawals,
  WithdrawalSweeper,
} from '../../src/features/withdraw/withdrawal-sweeper.js';
import { WithdrawalMail } from '../../src/features/withdraw/withdrawal-mail.js';
import { BackgroundJobs } from '../../src/platform/database/background-jobs.js';
import { WithdrawalAlerts } from '../../src/features/withdraw/withdrawal-alerts.js';
import { UnknownWithdrawalsService } from '../../src/features/withdraw/unknown-withdrawals.service.js';
import { SqlEditsService } from '../../src/platform/audit/sql-edits.service.js';
import { WithdrawalStore } from '../../src/features/withdraw/record/withdrawal-store.js';
import { captureLog } from '../support/api/captured-log.js';
import { freePort } from '../support/servers/free-port.js';
import { type Step, TcpProxy } from '../support/servers/tcp-proxy.js';
import type { Fault } from '../support/api/game-server.js';
import { until } from '../support/until.js';
import { ASKING, GM_TIMEOUT, Withdrawals } from '../support/api/withdrawals.js';

let w: Withdrawals;
let deaf: number;
let nowhere: number;

beforeAll(async () => {
  w = await Withdrawals.start();
  deaf = await w.addServer({ gmPort: await freePort() });
  nowhere = await w.addServer({ gmAddress: 'gm.invalid' });
});
afterEach(() => w.settleTest());
afterAll(() => w.stop());

/** Returns how many failures of a kind the metrics report for a server. */
async function failuresOf(server: number, failure: string): Promise<number> {
  const { text } = await w.service.client.get('/api/metrics');
  const line = `gatehouse_game_server_failures_total\\{server="${server}",failure="${failure}"\\} (\\d+)`;
  return Number(new RegExp(line).exec(text)?.[1] ?? 0);
}

describe('POST /api/game/withdraw', () => {
  it('deducts nothing and unlocks the role if the game server rejects the command', async () => {
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'refuse';
    const answer = await w.withdraw(rich, 100, { key: 'refused' });
    expect(answer.body).toMatchObject({ code: 42204, error: 'withdrawal_refused' });
    expect(await w.rowOf(rich)).toMatchObject({ status: 'refused', reason: 'withdrawal_refused' });
    w.game.fault = () => 'none';
    const repeat = await w.withdraw(rich, 100, { key: 'refused' });
    expect(repeat.body.error).toBe('withdrawal_refused');
    expect(repeat.headers.get('idempotency-hit')).toBe('true');
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(1000);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it.each([
    ['does not listen', () => deaf],
    ['has no address', () => nowhere],
  ])('fails without sending and unlocks the role if the game server %s', async (_, server) => {
    const rich = await w.createFundedRole(1000, server());
    const before = await failuresOf(server(), 'not_reached');
    const captured = captureLog();
    for (let time = 0; time < 2; time++) {
      const answer = await w.withdraw(rich, 100);
      expect(answer.body).toMatchObject({ code: 50300, error: 'game_server_unavailable' });
    }
    captured.release();
    expect(captured.lines).toContainEqual(
      expect.objectContaining({
        server: server(),
        request_id: expect.any(String),
        msg: expect.stringContaining(`the GM interface of server ${server()}`),
      }),
    );
    const rows = await w.rows({ roleId: rich.role });
    expect(rows).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect(await failuresOf(server(), 'not_reached')).toBe(before + 2);
  });

  it('uses the first response of a game server that responds twice', async () => {
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'twice';
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(900);
  });

  it.each<[Fault, number]>([
    ['hang_before', 1000],
    ['hang_after', 900],
    ['reset_before', 1000],
    ['reset_after', 900],
    ['error_before', 1000],
    ['error_after', 900],
    ['garbage', 900],
    ['half', 900],
    ['huge', 900],
    ['redirect', 1000],
  ])(
    'makes the withdrawal unknown, locks the role and never sends the command again after the fault %s',
    async (fault, balance) => {
      const rich = await w.createFundedRole(1000);
      const before = await failuresOf(w.server, 'unknown');
      w.game.fault = () => fault;
      const send = () => w.withdraw(rich, 100, { key: 'faulty' });
      const answer = await (fault.startsWith('hang') ? w.withoutPatience(send) : send());
      expect(answer.status).toBe(202);
      expect(await failuresOf(w.server, 'unknown')).toBe(before + 1);
      expect(answer.body).toMatchObject({
        code: 0,
        data: { status: 'unknown', reason: null, settled_at: null },
      });
      w.game.fault = () => 'none';
      expect((await w.withdraw(rich, 100)).body).toMatchObject({
        code: 40903,
        error: 'withdrawal_open',
      });
      const repeat = await send();
      expect(repeat.status).toBe(202);
      expect(repeat.headers.get('idempotency-hit')).toBe('true');
      expect(repeat.body).toEqual(answer.body);
      // Elapsed time alone does not settle the withdrawal.
      await w.age(60 * 60 * 24 * 365);
      await w.sweep();
      expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
      expect(await w.world.balanceOf(w.server, rich.role)).toBe(balance);
    },
  );
});

describe('UnknownWithdrawalsService', () => {
  beforeAll(() => w.service.changeSettings({ withdraw: ASKING }));
  afterAll(() => w.service.changeSettings({ withdraw: GM_TIMEOUT }));

  it('treats "not applied" as final only after a minute', async () => {
    const rich = await w.createUnknown('hang_before');
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown', asks: 1 });
    // The game server applies the order after the service's timeout.
    await w.game.release();
    await w.age(50);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'succeeded' });
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(900);
  });

  it('queries again in each round until there is a response', async () => {
    const rich = await w.createUnknown('error_before');
    w.game.answersQueries = false;
    const asks = async () => {
      await w.sweep();
      return (await w.rowOf(rich)).asks;
    };
    expect(await asks()).toBe(1);
    // A second sweep soon afterwards, such as that of another instance, must not query again.
    expect(await asks()).toBe(1);
    for (const times of [2, 3, 4]) {
      await w.age(30);
      expect(await asks()).toBe(times);
    }
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
  });

  it('is interrupted by a shutdown', async () => {
    let heard = 0;
    const silent = createServer(() => heard++).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const server = await w.addServer({ gmPort: (silent.address() as AddressInfo).port });
    await w.untilListed(`"id":${server},`);
    const rich = await w.createFundedRole(1000, server);
    await w.withoutPatience(() => w.withdraw(rich, 100));
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });

    const { app, database } = w.service;
    const [abandoned, book, edits, inquiry, alert, mail] = [
      app.get(AbandonedWithdrawals),
      app.get(WithdrawalStore),
      app.get(SqlEditsService),
      app.get(UnknownWithdrawalsService),
      app.get(WithdrawalAlerts),
      app.get(WithdrawalMail),
    ];
    const jobs = new BackgroundJobs(database);
    const sweeper = new WithdrawalSweeper(jobs, abandoned, book, edits, inquiry, alert, mail);
    // The long timeout would make the test time out if the shutdown did not interrupt the round.
    w.service.app.get(Settings).current.withdraw.gm_timeout = 600;
    void sweeper.job.run();
    await until(() => heard >= 2);
    w.service.app.get(Settings).current.withdraw.gm_timeout = GM_TIMEOUT.gm_timeout;
    await jobs.onModuleDestroy();
    silent.close().closeAllConnections();
  });

  it('does not query the target of a merged server', async () => {
    const rich = await w.createUnknownBeforeMerge(w.server);
    await w.age(600);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
  });
});

describe('The game database', () => {
  it('makes withdrawals fail while it hangs or refuses connections', async () => {
    const proxy = await TcpProxy.start(w.world.port);
    const server = await w.addServer({ dbPort: proxy.port });
    await w.untilListed(`"id":${server},`);
    const rich = await w.createFundedRole(1000, server);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    const before = await failuresOf(server, 'database');
    const reading: Step = { statements: [/SELECT/], at: 'statement' };

    void proxy.holdEveryAt(reading);
    expect((await w.withdraw(rich, 100)).body.error).toBe('game_server_unavailable');
    proxy.heal();
    void proxy.cutAt(reading);
    for (const state of ['cut', 'refused'])
      expect((await w.withdraw(rich, 100)).body.error, state).toBe('game_server_unavailable');
    expect((await w.service.client.get('/api/server/list')).status).toBe(200);
    expect(await failuresOf(server, 'database')).toBe(before + 3);

    proxy.heal();
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    await proxy.stop();
  });

  it('of one server does not affect another server when it is down', async () => {
    const dead = await w.addServer({ dbPort: await freePort() });
    const rich = await w.createFundedRole(1000);
    await w.untilListed(`"id":${dead},`);
    const [inDead, inLiving] = await Promise.all([
      w.withdraw({ ...rich, server: dead }, 100),
      w.withdraw(rich, 100),
    ]);
    expect(inDead.body.error).toBe('game_server_unavailable');
    expect(inLiving.status).toBe(200);
  });
});

describe('WithdrawalSweeper', () => {
  it('logs and counts withdrawals that stay unknown for more than 15 minutes', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const alerts = () =>
      error.mock.calls.filter(([message]) =>
        String(message).match(`^server ${w.server}: .* more than 15 minutes`),
      ).length;
    const before = (await w.rows({ status: 'unknown' })).length;
    await w.createUnknown('reset_after');
    await w.sweep();
    const earlier = alerts();
    await w.age(16 * 60);
    await w.sweep();
    await w.sweep();
    expect(alerts()).toBe(earlier + 1);
    const metrics = (await w.service.client.get('/api/metrics')).text;
    const unknown = [
      ...metrics.matchAll(/^gatehouse_withdrawals_unknown\{server="\d+"\} (\d+)$/gm),
    ];
    expect(unknown.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(before + 1);
    const oldest = `gatehouse_withdrawals_unknown_oldest_seconds\\{server="${w.server}"\\} \\d{3,}`;
    expect(metrics).toMatch(new RegExp(oldest));
    error.mockRestore();
  });
});

describe('A withdrawal whose GM command is pending', () => {
  it('logs the outcome once and responds to the client if its row was deleted', async () => {
    const log = captureLog();
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_before';
    const answer = w.withdraw(rich, 100);
    await until(() => w.game.hangingCount === 1);
    const { id, orderNo } = await w.rowOf(rich);
    await w.service.database.query(`DELETE FROM withdraw_event WHERE withdraw_id = ${id}`);
    await w.service.database.query(`DELETE FROM withdraw WHERE id = ${id}`);
    await w.game.release();
    expect((await answer).body.data.status).toBe('unknown');
    const told = log.lines.filter(({ msg }) => String(msg).includes(orderNo!));
    expect(told).toMatchObject([{ level: 'error', msg: expect.stringContaining('is gone') }]);
    log.release();
  });

  it('is not sent by a process that was suspended before the call', async () => {
    const book = w.service.app.get(WithdrawalStore);
    const send = book.markSending.bind(book);
    vi.spyOn(book, 'markSending').mockImplementationOnce(async (withdrawal, order, owner) => {
      const won = await send(withdrawal, order, owner);
      order.sentAt = new Date(Date.now() - 11_000);
      return won;
    });
    const rich = await w.createFundedRole(1000);
    expect((await w.withdraw(rich, 100)).body.error).toBe('game_server_unavailable');
    expect(await w.rowOf(rich)).toMatchObject({ status: 'failed' });
    expect(w.game.ledger.has((await w.rowOf(rich)).orderNo!)).toBe(false);
  });

  it('completes after the client disconnects and its token is revoked', async () => {
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_before';
    const gone = new AbortController();
    const request = fetch(`${w.service.url}/api/game/withdraw`, {
      method: 'POST',
      signal: gone.signal,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${rich.token}` },
      body: JSON.stringify({ server_id: rich.server, role_id: rich.role, amount: 100 }),
    }).catch(() => 'gone');
    await until(() => w.game.hangingCount === 1);
    gone.abort();
    expect(await request).toBe('gone');
    await w.service.database.query(`UPDATE player SET ver = ver + 1 WHERE id = ${rich.player.id}`);
    await w.game.release();
    await until(async () => (await w.rowOf(rich)).status === 'succeeded');
    expect(await w.world.balanceOf(rich.server, rich.role)).toBe(900);
  });
});
