import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { sqlTime } from '../../src/platform/database/sql-time.js';
import { GmClient } from '../../src/features/withdraw/game/gm-client.js';
import { AbandonedWithdrawals } from '../../src/features/withdraw/background/abandoned-withdrawals.js';
import { WithdrawalSweeper } from '../../src/features/withdraw/background/withdrawal-sweeper.js';
import { UnknownWithdrawalAlert } from '../../src/features/withdraw/background/unknown-withdrawal-alert.js';
import { UnknownWithdrawalResolver } from '../../src/features/withdraw/background/unknown-withdrawal-resolver.js';
import { WithdrawalStore } from '../../src/features/withdraw/record/withdrawal-store.js';
import { WithdrawalCommand } from '../../src/operators/cli/withdrawal/withdrawal.command.js';
import { WithdrawalCommandModule } from '../../src/operators/cli/withdrawal/withdrawal-command.module.js';
import { WithdrawalEvent } from '../../src/features/withdraw/record/withdrawal-event.entity.js';
import { captureLog } from '../support/api/captured-log.js';
import { freePort } from '../support/servers/free-port.js';
import { type Fault, QUERY_OP } from '../support/api/game-server.js';
import { until } from '../support/until.js';
import {
  expectLedgersToAgree,
  GM_TIMEOUT,
  type FundedRole,
  Withdrawals,
} from '../support/api/withdrawals.js';

let w: Withdrawals;
let deaf: number;
let nowhere: number;

beforeAll(async () => {
  w = await Withdrawals.start();
  deaf = await w.addServer({ gmPort: await freePort() });
  nowhere = await w.addServer({ gmAddress: 'gm.invalid' });
});
afterEach(async () => {
  w.game.fault = () => 'none';
  w.game.answersQueries = true;
  w.game.dropHanging();
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

const asking = { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) };
const eventsOf = (withdrawId: number) =>
  w.service.database
    .getRepository(WithdrawalEvent)
    .find({ where: { withdrawId }, order: { id: 'ASC' } });

/** How often the metrics say that a server failed so. */
async function failuresOf(server: number, failure: string): Promise<number> {
  const { text } = await w.service.client.get('/api/metrics');
  const line = `gatehouse_game_server_failures_total\\{server="${server}",failure="${failure}"\\} (\\d+)`;
  return Number(new RegExp(line).exec(text)?.[1] ?? 0);
}

async function unknownOne(fault: Fault): Promise<FundedRole & { id: number }> {
  const rich = await w.createFundedRole(1000);
  w.game.fault = () => fault;
  const answer = await w.withdraw(rich, 100);
  expect(answer.status).toBe(202);
  w.game.fault = () => 'none';
  return { ...rich, id: answer.body.data.id };
}

/** One that became unknown before its server was merged. */
async function unknownBeforeMerge(into: number): Promise<FundedRole> {
  const server = await w.addServer();
  await w.untilListed(`"id":${server},`);
  const rich = await w.createFundedRole(1000, server);
  w.game.fault = () => 'reset_before';
  expect((await w.withdraw(rich, 100)).status).toBe(202);
  w.game.fault = () => 'none';
  await w.merge(server, into);
  return rich;
}

describe('a game server that', () => {
  it('refuses: nothing is deducted, and the role is free', async () => {
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
  ])('%s: nothing was sent, so it failed, and the role is free', async (_, server) => {
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

  it('answers twice: the first answer counts', async () => {
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
  ])('%s: the outcome is unknown, the role locked, nothing sent again', async (fault, balance) => {
    const rich = await w.createFundedRole(1000);
    const before = await failuresOf(w.server, 'unknown');
    w.game.fault = () => fault;
    const answer = await w.withdraw(rich, 100, { key: 'faulty' });
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
    const repeat = await w.withdraw(rich, 100, { key: 'faulty' });
    expect(repeat.status).toBe(202);
    expect(repeat.headers.get('idempotency-hit')).toBe('true');
    expect(repeat.body).toEqual(answer.body);
    // Elapsed time alone settles nothing.
    await w.age(60 * 60 * 24 * 365);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(balance);
  });
});

describe('asking the game server for an unknown order', () => {
  beforeAll(() => w.service.changeSettings({ withdraw: asking }));
  afterAll(() => w.service.changeSettings({ withdraw: GM_TIMEOUT }));

  it('settles one that was applied', async () => {
    const rich = await unknownOne('hang_after');
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'succeeded', reason: null });
    expect((await eventsOf(rich.id)).at(-1)).toMatchObject({ cause: 'gm_query' });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('takes “not applied” for final only when it can no longer be applied', async () => {
    const rich = await unknownOne('hang_before');
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown', asks: 1 });
    // The game server comes to it after we gave up.
    await w.game.release();
    await w.age(50);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'succeeded' });
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(900);
  });

  it('settles one that was never applied, after a minute', async () => {
    const rich = await unknownOne('reset_before');
    await w.age(61);
    await w.sweep();
    const row = await w.rowOf(rich);
    expect(row).toMatchObject({ status: 'failed', reason: 'game_server_unavailable' });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('asks in each round, and goes on when there is no answer', async () => {
    const rich = await unknownOne('error_before');
    w.game.answersQueries = false;
    const asks = async () => {
      await w.sweep();
      return (await w.rowOf(rich)).asks;
    };
    expect(await asks()).toBe(1);
    // As if another instance had its round right after.
    expect(await asks()).toBe(1);
    for (const times of [2, 3, 4]) {
      await w.age(30);
      expect(await asks()).toBe(times);
    }
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
  });

  it('is cut short by the end of the service', async () => {
    let heard = 0;
    const silent = createServer(() => heard++).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const server = await w.addServer({ gmPort: (silent.address() as AddressInfo).port });
    await w.untilListed(`"id":${server},`);
    expect((await w.withdraw(await w.createFundedRole(1000, server), 100)).status).toBe(202);

    await w.service.changeSettings({ withdraw: { ...asking, gm_timeout: 10 } });
    const { app, database } = w.service;
    const [abandoned, book, inquiry, alarm] = [
      app.get(AbandonedWithdrawals),
      app.get(WithdrawalStore),
      app.get(UnknownWithdrawalResolver),
      app.get(UnknownWithdrawalAlert),
    ];
    const sweeper = new WithdrawalSweeper(database, abandoned, book, inquiry, alarm);
    void sweeper.sweep();
    await until(() => heard === 2);
    const started = performance.now();
    await sweeper.beforeApplicationShutdown();
    expect(performance.now() - started).toBeLessThan(8000);
    silent.close();
    await w.service.changeSettings({ withdraw: asking });
  });

  it('does not ask where the server was merged since: the other one need not know the order', async () => {
    const rich = await unknownBeforeMerge(w.server);
    await w.age(600);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
  });
});

describe('a role whose withdrawal was unknown when its server was merged', () => {
  it('stays locked, by either name of the server', async () => {
    const rich = await unknownBeforeMerge(w.server);
    for (const server of [rich.server, w.server])
      expect((await w.withdraw({ ...rich, server }, 100)).body.error).toBe('withdrawal_open');
    const { id } = await w.rowOf(rich);
    await w.service.database.query(`UPDATE withdraw SET status = 'failed' WHERE id = ${id}`);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    await w.sweep();
  });

  it('stays locked when that server is merged as well', async () => {
    const between = await w.addServer();
    const rich = await unknownBeforeMerge(between);
    await w.merge(between, w.server);
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
  });
});

describe('the game database', () => {
  it('refused, hung and restarted: nothing is sent, and it works again after', async () => {
    const rich = await w.createFundedRole(1000);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    const before = await failuresOf(w.server, 'database');

    w.world.mariadb.pause();
    const started = performance.now();
    const hung = await w.withdraw(rich, 100);
    expect(hung.body.error).toBe('game_server_unavailable');
    expect(performance.now() - started).toBeLessThan(10_000);
    w.world.mariadb.resume();

    await w.world.mariadb.kill();
    const refused = await w.withdraw(rich, 100);
    expect(refused.body.error).toBe('game_server_unavailable');
    expect((await w.service.client.get('/api/server/list')).status).toBe(200);
    expect(await failuresOf(w.server, 'database')).toBe(before + 2);

    await w.world.restart();
    await until(async () => (await w.withdraw(rich, 100)).status === 200);
  });

  it('dead in one server keeps no other waiting', async () => {
    const dead = await w.addServer({ dbPort: await freePort() });
    const rich = await w.createFundedRole(1000);
    await until(
      async () =>
        (await w.withdraw({ ...rich, server: dead }, 100)).body.error !== 'server_not_found',
    );
    const [inDead, inLiving] = await Promise.all([
      w.withdraw({ ...rich, server: dead }, 100),
      w.withdraw(rich, 100),
    ]);
    expect(inDead.body.error).toBe('game_server_unavailable');
    expect(inLiving.status).toBe(200);
  });

  it('is read by a user that may only read, over few connections', async () => {
    const rich = await w.createFundedRole(100_000);
    await Promise.all(Array.from({ length: 30 }, () => w.withdraw(rich, 100)));
    const connections = await w.world.connections();
    expect(connections).toBeGreaterThanOrEqual(1);
    expect(connections).toBeLessThanOrEqual(4);
  });
});

describe('the sweeper', () => {
  async function leftBehind(status: 'created' | 'sending'): Promise<FundedRole> {
    const rich = await w.createFundedRole(1000);
    const book = w.service.app.get(WithdrawalStore);
    const { withdrawal } = await book.create(
      {
        playerId: rich.player.id,
        serverId: w.server,
        roleServerId: w.server,
        roleId: rich.role,
        roleName: 'left',
        amount: 100,
        idempotencyKey: 'left',
        createdAt: new Date(),
      },
      { most: 1000, from: sqlTime(0), to: sqlTime(new Date()), nameInGame: rich.player.account },
    );
    const gm = { host: '127.0.0.1', port: w.game.port, path: '/gm' };
    if (status === 'sending')
      await book.markSending(withdrawal, book.buildOrder(withdrawal, 1000, gm));
    return rich;
  }

  it('leaves young ones alone', async () => {
    const [created, sending] = [await leftBehind('created'), await leftBehind('sending')];
    await w.age(15);
    await w.sweep();
    expect(await w.rowOf(created)).toMatchObject({ status: 'created' });
    expect(await w.rowOf(sending)).toMatchObject({ status: 'sending' });
    await w.age(20);
    await w.sweep();
  });

  it('fails what was never sent, and frees the role', async () => {
    const rich = await leftBehind('created');
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
    await w.age(31);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'failed', orderNo: null });
    const repeat = await w.withdraw(rich, 100, { key: 'left' });
    expect(repeat.body.error).toBe('service_unavailable');
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('calls unknown what may have been sent, and keeps the role locked', async () => {
    const rich = await leftBehind('sending');
    await w.age(31);
    await w.sweep();
    expect(await w.rowOf(rich)).toMatchObject({ status: 'unknown' });
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
    expect((await w.withdraw(rich, 100, { key: 'left' })).status).toBe(202);
  });

  it('leaves a call that is out alone, and a late answer still counts', async () => {
    await w.service.changeSettings({ withdraw: { gm_timeout: 10 } });
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
    await w.service.changeSettings({ withdraw: GM_TIMEOUT });
  });

  it('raises the alarm for a server after 15 minutes, once per change, and shows it in the metrics', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const alarms = () =>
      error.mock.calls.filter(([message]) =>
        /server 1: .* more than 15 minutes/.test(String(message)),
      ).length;
    const before = (await w.rows({ status: 'unknown' })).length;
    await unknownOne('reset_after');
    await w.sweep();
    const earlier = alarms();
    await w.age(16 * 60);
    await w.sweep();
    await w.sweep();
    expect(alarms()).toBe(earlier + 1);
    const metrics = (await w.service.client.get('/api/metrics')).text;
    const unknown = [
      ...metrics.matchAll(/^gatehouse_withdrawals_unknown\{server="\d+"\} (\d+)$/gm),
    ];
    expect(unknown.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(before + 1);
    expect(metrics).toMatch(/gatehouse_withdrawals_unknown_oldest_seconds\{server="1"\} \d{3,}/);
    error.mockRestore();
  });
});

describe('a person', () => {
  const settle = (id: number, status: string) =>
    w.service.database.query(`UPDATE withdraw SET status = '${status}' WHERE id = ${id}`);

  it('settles by plain SQL: the role is free at once, and the edit is noted', async () => {
    const rich = await unknownOne('reset_before');
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

  it('calls one succeeded after all: it bears no reason any more', async () => {
    const { id } = await unknownOne('reset_after');
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
    'cannot set the status of a sent one to "%s"',
    async (status) => {
      const { id } = await unknownOne('reset_after');
      await expect(settle(id, status)).rejects.toThrow();
      await w.sweep();
    },
  );

  it('cannot call one succeeded that was never sent', async () => {
    const rich = await w.createFundedRole(100);
    await w.withdraw(rich, 200);
    await expect(settle((await w.rowOf(rich)).id, 'succeeded')).rejects.toThrow();
  });

  it('cannot open an old one again while the role has another open', async () => {
    const rich = await w.createFundedRole(1000);
    await w.withdraw(rich, 100);
    const { id } = await w.rowOf(rich);
    w.game.fault = () => 'reset_before';
    await w.withdraw(rich, 100);
    await expect(settle(id, 'unknown')).rejects.toThrow();
  });

  it('and the sweeper and the answer settle at once: one of them does', async () => {
    const command = await NestFactory.createApplicationContext(
      WithdrawalCommandModule.forRoot(w.service.app.get(Environment)),
      { logger: false, abortOnError: false },
    );
    await w.service.changeSettings({ withdraw: { ...asking, gm_timeout: 10 } });
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
        const words = ['settle', `${id}`, 'failed', '--by', 'anna', '--note', 'race', '--yes'];
        person = Promise.allSettled([command.get(WithdrawalCommand).run(words)]);
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

describe('while the call is out', () => {
  beforeAll(() => w.service.changeSettings({ withdraw: { gm_timeout: 10 } }));
  afterAll(() => w.service.changeSettings({ withdraw: GM_TIMEOUT }));

  it('a person who settles it otherwise is told, and the answer is put on record', async () => {
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
    expect((await answer).body.error).toBe('game_server_unavailable');
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      fromStatus: 'failed',
      toStatus: 'failed',
      cause: 'gm',
      evidence: 'HTTP 200 {"code":0}',
    });
    expect(log.text).toContain(`${id} was settled failed, but the game server says accepted`);
    log.release();
    await settle('succeeded');
    await w.service.database.query(
      `DELETE FROM withdraw_event WHERE withdraw_id = ${id} AND from_status = to_status`,
    );
    await w.sweep();
  });

  it('a person who deletes it is told, once, and the client is answered', async () => {
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

  it('a process that stood still before it called does not call any more', async () => {
    const book = w.service.app.get(WithdrawalStore);
    const send = book.markSending.bind(book);
    vi.spyOn(book, 'markSending').mockImplementationOnce(async (withdrawal, order) => {
      const won = await send(withdrawal, order);
      order.sentAt = new Date(Date.now() - 11_000);
      return won;
    });
    const rich = await w.createFundedRole(1000);
    expect((await w.withdraw(rich, 100)).body.error).toBe('game_server_unavailable');
    expect(await w.rowOf(rich)).toMatchObject({ status: 'failed' });
    expect(w.game.ledger.has((await w.rowOf(rich)).orderNo!)).toBe(false);
  });

  it('a client that hangs up, and a token that ends, change nothing', async () => {
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
