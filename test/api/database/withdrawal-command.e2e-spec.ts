import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PlayerActionCommands } from '../../../src/operators/cli/player/player-action-commands.js';
import { PlayerActions } from '../../../src/operators/actions/players/player-actions.js';
import type { PlayerClosings } from '../../../src/operators/actions/players/player-closings.js';
import type { PlayerCredentials } from '../../../src/operators/actions/players/player-credentials.js';
import type { SignInLocks } from '../../../src/operators/actions/players/sign-in-locks.js';
import {
  EventsCommand,
  EventsCommandModule,
} from '../../../src/operators/cli/events/events.command.js';
import { registerEvents } from '../../../src/operators/cli/events/events.options.js';
import { PlayerBans } from '../../../src/operators/actions/players/player-bans.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { DAY_MS, localDay } from '../../../src/platform/config/time.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { ServersService } from '../../../src/features/servers/servers.service.js';
import { LinksService } from '../../../src/features/links/links.service.js';
import { EventOutbox } from '../../../src/platform/events/event-outbox.js';
import { SessionsService } from '../../../src/features/sessions/sessions.service.js';
import { GameAccountService } from '../../../src/features/withdraw/game/game-account.service.js';
import {
  WithdrawalCommand,
  WithdrawalCommandModule,
} from '../../../src/operators/cli/withdrawal/withdrawal.command.js';
import { registerWithdrawal } from '../../../src/operators/cli/withdrawal/withdrawal.options.js';
import { CommandModule } from '../../../src/operators/cli/command-context.js';
import {
  Withdrawal,
  WithdrawalEvent,
} from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { unique } from '../../support/accounts.js';
import { createPlayer, addServer, tokenOf } from '../../support/api/factories.js';
import { type Fault, QUERY_OP } from '../../support/api/game-server.js';
import { until } from '../../support/until.js';
import {
  expectLedgersToAgree,
  GM_TIMEOUT,
  type FundedRole,
  Withdrawals,
} from '../../support/api/withdrawals.js';
import { runCommand } from '../../support/api/run-command.js';

let w: Withdrawals;
let context: INestApplicationContext;

beforeAll(async () => {
  w = await Withdrawals.start();
  context = await contextOf(WithdrawalCommandModule);
});
afterEach(() => {
  w.game.fault = () => 'none';
});
afterAll(async () => {
  await context.close();
  await w.stop();
});

const contextOf = (module: typeof WithdrawalCommandModule | typeof EventsCommandModule) =>
  NestFactory.createApplicationContext(
    CommandModule.forRoot(w.service.app.get(Environment), module),
    { logger: false, abortOnError: false },
  );
const runWords = (...words: string[]) => {
  // A command is a new process, so it never has an older list of servers.
  context.get(ServersService)['snapshot'] = undefined;
  return runCommand(registerWithdrawal, context.get(WithdrawalCommand), ['withdrawal', ...words]);
};
const run = (line: string, ...more: string[]) =>
  runWords(...line.split(' '), ...more, ...(/^(settle|reopen)/.test(line) ? ['--yes'] : []));

const eventsOf = (withdrawId: number) =>
  w.service.database
    .getRepository(WithdrawalEvent)
    .find({ where: { withdrawId }, order: { id: 'ASC' } });

async function withdrawn(fault: Fault, amount = 100): Promise<FundedRole & { id: number }> {
  const rich = await w.createFundedRole(1000);
  w.game.fault = () => fault;
  await w.withdraw(rich, amount);
  w.game.fault = () => 'none';
  // A busy database may store the outcome only after the response.
  await until(async () => !['created', 'sending'].includes((await w.rowOf(rich)).status));
  return { ...rich, id: (await w.rowOf(rich)).id };
}

describe('gatehouse withdrawal', () => {
  it('lists withdrawals, optionally by status', async () => {
    const unknown = await withdrawn('reset_after');
    const succeeded = await withdrawn('none');
    const all = await run('list');
    expect(all.text).toMatch(new RegExp(`^ *${unknown.id}  unknown `, 'm'));
    expect(all.text).toMatch(new RegExp(`^ *${succeeded.id}  succeeded `, 'm'));
    const { text } = await run('list --status unknown');
    expect(text).toContain(`role${unknown.role}`);
    expect(text).not.toContain(`role${succeeded.role}`);
    expect((await run('list --status created')).text).toBe('There are none.');
    expect((await run('list --limit 1')).text.split('\n')).toHaveLength(3);
  });

  it('shows a withdrawal with its events', async () => {
    const { id, player } = await withdrawn('error_after');
    const { text } = await run(`show ${id}`);
    expect(text).toContain(player.account);
    expect(text).toContain('HTTP 500');
    expect(text).toMatch(/sending +unknown +gm/);
  });

  it('filters by account, server and time', async () => {
    const { id, player } = await withdrawn('none');
    const ids = async (line: string) =>
      ((await run(line)).data as Array<{ id: number }>).map((row) => row.id);
    expect(await ids(`list --account ${player.account.toUpperCase()} --since 1h`)).toEqual([id]);
    expect(await ids(`list --account ${player.account} --server ${w.server}`)).toEqual([id]);
    expect(await ids(`list --account ${player.account} --server 999999`)).toEqual([]);
    expect(await ids(`list --account ${player.account} --since 2036-01-01`)).toEqual([]);
    expect(await ids(`list --account ${player.account} --before ${id}`)).toEqual([]);
    expect(await ids('list --account nobody_at_all')).toEqual([]);
    expect((await run('list --account nobody_at_all')).text).toContain('Is the name right?');
    expect((await run(`list --account ${player.account}`)).text).toContain(player.account);
    const { text, data } = await run(`show ${id}`);
    expect(text).toMatch(/balance now +900/);
    const { orderNo } = (data as { withdrawal: { orderNo: string } }).withdrawal;
    expect((await run(`show ${orderNo}`)).text).toBe(text);
    expect((await run(`show ${orderNo.toLowerCase()}`)).text).toBe(text);
    await expect(run('show W1-000000000000')).rejects.toThrow('W1-000000000000');
  });

  it('settles an unknown withdrawal once and records who and why', async () => {
    const { id, ...rich } = await withdrawn('reset_before');
    const words = ['settle', `${id}`, 'failed', '--by', 'anna', '--note'];
    await runWords(...words, 'not in the log of server 1', '--yes');
    expect((await w.rows({ id }))[0]).toMatchObject({ status: 'failed', reason: null });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      fromStatus: 'unknown',
      toStatus: 'failed',
      cause: 'person',
      evidence: 'anna: not in the log of server 1',
    });
    await expect(run(`settle ${id} succeeded --by anna --note again`)).rejects.toThrow(
      'already has the status failed; to correct that, reopen it first',
    );
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('settles several withdrawals of a server together, after it has shown balances and evidence', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const taken = await withdrawn('reset_after');
    const kept = await withdrawn('reset_before');
    const words = (ids: number[]) => ['settle', ids.join(), 'failed', '--by', 'anna', '--note'];
    await expect(runWords(...words([taken.id, kept.id]), 'b')).rejects.toThrow(
      `This settles 2 withdrawals of server ${w.server} with 200 as failed`,
    );
    const table = String(shown.mock.calls[0]![0]);
    expect(table).toMatch(new RegExp(`^ *${taken.id} .* 1000 +900 +-100 +deducted +\\S`, 'm'));
    expect(table).toMatch(new RegExp(`^ *${kept.id} .* 1000 +1000 +0 +not deducted +\\S`, 'm'));
    expect(await w.rows({ id: kept.id })).toMatchObject([{ status: 'unknown' }]);
    const ids = [kept.id, (await withdrawn('reset_before')).id];
    const { text } = await runWords(...words(ids), 'not in the log', '--yes');
    expect(text).toBe(ids.map((id) => `withdrawal ${id} is settled: failed`).join('\n'));
    for (const id of ids) expect(await w.rows({ id })).toMatchObject([{ status: 'failed' }]);
    await expect(runWords(...words(ids), 'again', '--yes')).rejects.toThrow(
      'already has the status failed',
    );
    await expect(runWords(...words(Array(51).fill(1)), 'b', '--yes')).rejects.toThrow('at most 50');
    await run(`settle ${taken.id} succeeded --by anna --note seen`);
  });

  it('settles and reopens nothing from a pipe without --yes', async () => {
    const { id } = await withdrawn('reset_before');
    const statusNow = async () => (await w.rows({ id }))[0]!.status;
    await expect(runWords(...`settle ${id} failed --by anna --note b`.split(' '))).rejects.toThrow(
      /settles withdrawal[^]*add --yes/,
    );
    expect(await statusNow()).toBe('unknown');
    await run(`settle ${id} failed --by anna --note b`);
    await expect(runWords(...`reopen ${id} --by anna --note b`.split(' '))).rejects.toThrow(
      /which is failed,[^]*add --yes/,
    );
    expect(await statusNow()).toBe('failed');
  });

  it('reopens a settled withdrawal and records who and why', async () => {
    const { id, ...rich } = await withdrawn('reset_after');
    await run(`settle ${id} failed --by anna --note wrong`);
    const { text } = await run(`reopen ${id} --by bert --note`, 'it is in the log of server 1');
    expect(text).toContain('unknown again');
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_open');
    await run(`settle ${id} succeeded --by bert --note seen`);
    expect((await w.rows({ id }))[0]).toMatchObject({ status: 'succeeded', reason: null });
    expect((await eventsOf(id)).slice(-3)).toMatchObject([
      { fromStatus: 'unknown', toStatus: 'failed', evidence: 'anna: wrong' },
      {
        fromStatus: 'failed',
        toStatus: 'unknown',
        cause: 'person',
        evidence: 'bert: it is in the log of server 1',
      },
      { fromStatus: 'unknown', toStatus: 'succeeded', evidence: 'bert: seen' },
    ]);
    const audit = await w.service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `withdrawal ${id}` }, order: { id: 'ASC' } });
    expect(audit).toMatchObject([
      { act: 'withdrawal.settle', operator: 'anna', note: 'wrong', after: { status: 'failed' } },
      { act: 'withdrawal.reopen', operator: 'bert', before: { status: 'failed' } },
      { act: 'withdrawal.settle', operator: 'bert', note: 'seen' },
    ]);
    const { playerId } = await w.rowOf(rich);
    const events = await contextOf(EventsCommandModule);
    const asked = ['events', 'audit', '--subject', `player ${playerId}`];
    const { data } = await runCommand(registerEvents, events.get(EventsCommand), asked);
    expect(data).toEqual(audit.toReversed());
    await events.close();
    await expectLedgersToAgree(w.service.database, w.game.ledger);
  });

  it('does not reopen a withdrawal that is open, was never sent, or whose role has another open one', async () => {
    const open = await withdrawn('reset_after');
    await expect(run(`reopen ${open.id} --by a --note b`)).rejects.toThrow('only a settled one');
    const poor = await withdrawn('none', 2000);
    await expect(run(`reopen ${poor.id} --by a --note b`)).rejects.toThrow('never sent');
    const settled = await withdrawn('none');
    w.game.fault = () => 'reset_before';
    expect((await w.withdraw(settled, 100)).status).toBe(202);
    await expect(run(`reopen ${settled.id} --by a --note b`)).rejects.toThrow('another open');
    expect((await w.rows({ id: settled.id }))[0]).toMatchObject({ status: 'succeeded' });
  });

  it('reopens although a role with the same id has an open withdrawal on an unrelated server', async () => {
    const [one, other, target] = [await w.addServer(), await w.addServer(), await w.addServer()];
    await w.untilListed(`"id":${target},`);
    const rich = await w.createFundedRole(1000, one);
    await w.world.moveRoles(one, other);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    w.game.fault = () => 'reset_before';
    expect((await w.withdraw({ ...rich, server: other }, 100)).status).toBe(202);
    w.game.fault = () => 'none';
    const { id } = await w.rowOf(rich);
    await run(`reopen ${id} --by a --note b`);
    await run(`settle ${id} succeeded --by a --note b`);
    await w.service.database.query(
      `UPDATE server SET merged_into = ${target} WHERE id IN (${one}, ${other})`,
    );
    await expect(run(`reopen ${id} --by a --note b`)).rejects.toThrow('another open');
  });

  it('records an SQL edit before it settles', async () => {
    const { id } = await withdrawn('reset_after');
    await run(`settle ${id} failed --by anna --note wrong`);
    await w.service.database.query(`UPDATE withdraw SET status = 'unknown' WHERE id = ${id}`);
    await run(`settle ${id} succeeded --by anna --note right`);
    expect((await eventsOf(id)).slice(-3)).toMatchObject([
      { fromStatus: 'unknown', toStatus: 'failed', cause: 'person' },
      { fromStatus: 'failed', toStatus: 'unknown', cause: 'sql' },
      { fromStatus: 'unknown', toStatus: 'succeeded', cause: 'person' },
    ]);
    await expectLedgersToAgree(w.service.database, w.game.ledger);
  });

  it('lists orders without a withdrawal', async () => {
    expect((await run('orphans')).text).toBe('There are none.');
    const { id, orderNo } = (await w.rows({ id: (await withdrawn('none')).id }))[0]!;
    const orphan = { withdraw_id: id, player_id: 1, server_id: 1, role_server_id: 1, role_id: 7 };
    const at = '2026-11-15 12:00:00.000';
    const facts = { role_name: 'x', amount: 100, requested_at: at, sent_at: at, created_at: at };
    const gm = { gm_host: 'gm.example', gm_port: 8080, gm_path: '/gm' };
    const row = {
      order_no: orderNo,
      outcome: 'accepted',
      evidence: 'y',
      ...orphan,
      ...facts,
      ...gm,
    };
    const names = Object.keys(row);
    await w.service.database.query(
      `INSERT INTO withdraw_orphan (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(row),
    );
    expect((await run('orphans')).text).toContain(`${orderNo}`);
    await w.service.database.query(`UPDATE withdraw_orphan SET handled_at = '${at}'`);
    expect((await run('orphans')).text).toBe('There are none.');
  });
});

describe('gatehouse withdrawal reconcile', () => {
  const reconcile = (day = localDay('UTC', new Date())) => run(`reconcile --date ${day}`);

  it('lists roles whose balance cannot be read, with the reason and their failed orders', async () => {
    const dark = await addServer(w.service.database);
    const { id: playerId } = await createPlayer(w.service);
    const common = {
      playerId,
      serverId: dark.id,
      roleServerId: dark.id,
      roleId: 1,
      roleName: 'hero',
      amount: 100,
      createdAt: new Date(),
      sentAt: new Date(),
    };
    await w.service.database.getRepository(Withdrawal).insert([
      { ...common, status: 'failed', orderNo: unique('W') },
      { ...common, status: 'succeeded', orderNo: unique('W') },
    ]);
    const ofDark = () => run(`reconcile --date today --server ${dark.id}`);
    await until(async () => (await ofDark()).text.includes('cannot be read'));
    const { text, ok } = await ofDark();
    expect(ok).toBe(false);
    expect(text).toMatch(/^ *\d+ +1 +hero +1 +100 +– +– +–$/m);
    expect(text).toContain(`the database of server ${dark.id} cannot be read: `);
    expect(text.match(/^ *\d+ +(failed|succeeded) /gm)).toHaveLength(1);
    await w.service.database.query(`DELETE FROM withdraw WHERE server_id = ${dark.id}`);
    await w.service.database.query(`DELETE FROM server WHERE id = ${dark.id}`);
  });

  it('shows a deduction that was settled as failed, without gm_query_op', async () => {
    const { id, role } = await withdrawn('reset_after');
    await run(`settle ${id} failed --by a --note b`);
    const { text, ok } = await reconcile();
    expect(ok).toBe(false);
    expect(text).toMatch(new RegExp(`role${role} +0 +0 +1000 +900 +-100$`, 'm'));
    expect(text).toMatch(new RegExp(`^ *${id} +failed .* role${role} `, 'm'));
    expect((await run('reconcile')).text).not.toContain(`role${role}`);
    await run(`reopen ${id} --by a --note b`);
    await run(`settle ${id} succeeded --by a --note b`);
  });

  it('prints the total of one server without gm_query_op', async () => {
    const server = await w.addServer();
    await w.untilListed(`"id":${server},`);
    const rich = await w.createFundedRole(1000, server);
    // On a busy machine, an outcome may be recorded only after the response, and the role is locked until then.
    const isSettled = async () =>
      (await w.rows({ roleId: rich.role, roleServerId: server })).every(
        ({ settledAt }) => settledAt,
      );
    for (const amount of [100, 200]) {
      await w.withdraw(rich, amount);
      await until(isSettled);
    }
    await w.withdraw(await w.createFundedRole(1000), 100);
    const { text, data, ok } = await run(`reconcile --date today --server ${server}`);
    expect(ok).toBe(true);
    expect(text).toContain('the balances agree');
    expect(text).toMatch(new RegExp(`^ +${server} +2 +2 +300 +0$`, 'm'));
    expect(data).toMatchObject({ servers: [{ server, orders: 2, succeeded: 2, amount: 300 }] });
    expect(text).not.toMatch(new RegExp(`^ +${w.server} `, 'm'));
    expect(text).toContain('Total: 2 orders; 2 succeeded with 300, and 0 are open.');
    const today = localDay('UTC', new Date());
    const totals = (await run(`reconcile --date ${today} --server ${server} --csv`)).text.split(
      '\n',
    );
    // The desk exports the same columns.
    expect(totals).toEqual([
      'day,server_id,server,withdrawals,requested_amount,succeeded,succeeded_amount,open',
      expect.stringMatching(new RegExp(`^${today},${server},[^,]+,2,300,2,300,0$`)),
      `${today},total,,2,300,2,300,0`,
    ]);
    const listed = await run(`list --day today --server ${server} --limit 1`);
    expect(listed.text).toContain('Total: 2 withdrawals with 300; 2 succeeded with 300.');
    context.get(Settings).current.timezone = 'Asia/Shanghai';
    expect((await run(`list --until 2020-01-01 --server ${server}`)).text).toBe(
      'There are none until 2020-01-01 00:00 UTC (2020-01-01 08:00 in Asia/Shanghai).',
    );
    context.get(Settings).current.timezone = 'UTC';
    // Today's order explains the difference from yesterday's balance.
    const [first] = await w.rows({ roleId: rich.role, roleServerId: server });
    const yesterday = new Date(Date.now() - DAY_MS);
    const orders = w.service.database.getRepository(Withdrawal);
    await orders.update({ id: first!.id }, { createdAt: yesterday });
    const later = await run(`reconcile --server ${server}`);
    expect([later.ok, later.text]).toEqual([true, expect.stringContaining('the balances agree')]);
    const none = await run(`reconcile --date 2020-01-01 --server ${w.server}`);
    expect(none.text).toContain('No order was sent.');
    expect(none.data).toMatchObject({ day: '2020-01-01' });
    const wrong = run('reconcile --date today --server 999999');
    await expect(wrong).rejects.toThrow('there is no server 999999');
  });

  it('exits with 1 for an open order, even without gm_query_op', async () => {
    const server = await w.addServer();
    await w.untilListed(`"id":${server},`);
    const rich = await w.createFundedRole(1000, server);
    w.game.fault = () => 'reset_after';
    await w.withdraw(rich, 100);
    const { id } = await w.rowOf(rich);
    const { text, ok } = await run(`reconcile --date today --server ${server}`);
    expect(ok).toBe(false);
    expect(text).toMatch(new RegExp(`Settle these first[^]*^ *${id} +unknown `, 'm'));
    const { text: shown } = await run(`show ${id}`);
    expect(shown).toContain(`gatehouse withdrawal settle ${id} succeeded`);
    expect(shown).toMatch(/^request +\w+$/m);
    expect(shown).toMatch(/^asked for from +127\.0\.0\.1$/m);
    await run(`settle ${id} succeeded --by a --note b`);
    expect((await run(`show ${id}`)).text).not.toContain('withdrawal settle');
  });

  it('finds differences in both directions', async () => {
    await w.service.changeSettings({ withdraw: { ...GM_TIMEOUT, gm_query_op: Number(QUERY_OP) } });
    await until(() => context.get(Settings).current.withdraw.gm_query_op !== null);
    const agreed = await withdrawn('none');
    const lost = await withdrawn('reset_before');
    const doubled = await withdrawn('reset_after');
    await expectLedgersToAgree(w.service.database, w.game.ledger);
    await run(`settle ${lost.id} succeeded --by a --note wrong`);
    await run(`settle ${doubled.id} failed --by a --note wrong`);
    const { text, ok } = await reconcile();
    expect(ok).toBe(false);
    expect(text).toMatch(new RegExp(`^differs .* ${lost.id} .*succeeded +not_applied`, 'm'));
    expect(text).toMatch(new RegExp(`^differs .* ${doubled.id} .*failed +applied`, 'm'));
    expect(text).not.toMatch(new RegExp(`^differs .* ${agreed.id} `, 'm'));

    const long = await reconcile('2020-01-01');
    expect(long.ok).toBe(true);
  });

  it("accepts a merged server's settled orders without claiming agreement", async () => {
    const [server, target] = [await w.addServer(), await w.addServer()];
    await w.untilListed(`"id":${target},`);
    const rich = await w.createFundedRole(1000, server);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    await w.merge(server, target);
    const ofServer = () => run(`reconcile --date today --server ${server}`);
    const { ok, text } = await ofServer();
    expect([ok, text]).toEqual([true, expect.stringContaining('Nothing could be compared.')]);
    expect(text).not.toContain('agree');
    const { id } = await w.rowOf(rich);
    await run(`reopen ${id} --by a --note b`);
    expect((await ofServer()).ok).toBe(false);
    await run(`settle ${id} succeeded --by a --note b`);
  });
});

describe('PlayerActions.rename', () => {
  const WHO = { by: 'anna', note: 'ticket 815' };

  function acts(): PlayerActions {
    const { app, database } = w.service;
    const [environment, names] = [app.get(Environment), app.get(GameAccountService)];
    const [audit, bans] = [new AuditLog(database), new PlayerBans(database)];
    const [sessions, links] = [app.get(SessionsService), app.get(LinksService)];
    const events = app.get(EventOutbox);
    return new PlayerActions(database, audit, sessions, links, events, bans, environment, names);
  }

  it('keeps the roles of an account that the game spells in a different case', async () => {
    const { id, account } = await createPlayer(w.service, {
      account: unique('quiet').slice(0, 20),
    });
    const role = await w.world.createRole(w.server, { account: account.toUpperCase() });
    await acts().rename(WHO, id, unique('n').slice(0, 20));
    const player = await w.service.database.getRepository(Player).findOneByOrFail({ id });
    expect(player.gameAccount).toBe(account.toUpperCase());
    const token = tokenOf(w.service, player);
    expect((await w.withdraw({ token, server: w.server, role }, 100)).status).toBe(200);
  });

  it("fails while the game's spelling is uncertain, unless it is given", async () => {
    const { id, account } = await createPlayer(w.service, { account: unique('two').slice(0, 20) });
    const elsewhere = await w.addServer();
    const dark = await addServer(w.service.database);
    await w.untilListed(`"id":${dark.id}`);
    await w.world.createRole(w.server, { account: account.toUpperCase() });
    await w.world.createRole(elsewhere, { account });
    const to = unique('n').slice(0, 20);
    await expect(acts().rename(WHO, id, to)).rejects.toThrow(`server ${dark.id} cannot be read`);
    await w.service.database.query(`UPDATE server SET status = 'closed' WHERE id = ${dark.id}`);
    const refused = acts().rename(WHO, id, to);
    await expect(refused).rejects.toThrow(
      new RegExp(`${account.toUpperCase()}.*: specify which one$`),
    );
    const closings = { nextClosing: () => new Date() } as PlayerClosings;
    const command = new PlayerActionCommands(
      w.service.database,
      acts(),
      closings,
      {} as PlayerCredentials,
      {} as SignInLocks,
    );
    const player = await w.service.database.getRepository(Player).findOneByOrFail({ id });
    const given = { ...WHO, to, yes: true };
    await expect(command.run('rename', player, given)).rejects.toThrow(
      ': specify which one with --game-account',
    );
    await expect(acts().rename(WHO, id, to, 'somebody')).rejects.toThrow('somebody');
    await acts().rename(WHO, id, to, account);
    const stored = await w.service.database.getRepository(Player).findOneByOrFail({ id });
    expect(stored).toMatchObject({ account: to, gameAccount: account });
  });
});
