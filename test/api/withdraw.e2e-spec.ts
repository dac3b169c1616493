import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { localDay, dayBounds } from '../../src/platform/config/calendar-day.js';
import { sqlTime } from '../../src/platform/database/sql-time.js';
import { requestIdTime } from '../../src/platform/http/request/request-id.js';
import { WithdrawalsByRequestId } from '../../src/operators/actions/withdrawals/withdrawals-by-request-id.js';
import { InFlightWithdrawals } from '../../src/features/withdraw/in-flight-withdrawals.js';
import { WithdrawalStore } from '../../src/features/withdraw/record/withdrawal-store.js';
import { WithdrawalEvent } from '../../src/features/withdraw/record/withdrawal-event.entity.js';
import type { WithdrawalStatus } from '../../src/features/withdraw/record/withdrawal-status.js';
import { GameDatabase } from '../../src/features/withdraw/game/game-database.js';
import { WithdrawalServers } from '../../src/features/withdraw/game/withdrawal-servers.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { retryIfTimedOut } from '../support/run/slow-machine.js';
import { until } from '../support/until.js';
import { expectLedgersToAgree, GM_TIMEOUT, Withdrawals } from '../support/api/withdrawals.js';

const BUSY = ['idempotency_conflict', 'service_unavailable', 'game_server_unavailable'];
const NOT_SENT = { requests: 0, applications: 0 };
// Of 10 000, by how a withdrawal of 100 may end on a machine that is too busy.
const LEFT: Partial<Record<WithdrawalStatus, number[]>> = {
  succeeded: [9900],
  failed: [10_000],
  unknown: [9900, 10_000],
};

let w: Withdrawals;
let merged: number;
let maintained: number;
let closed: number;

beforeAll(async () => {
  w = await Withdrawals.start();
  merged = await w.addServer({ mergedInto: w.server });
  maintained = await w.addServer({ status: 'maintenance' });
  closed = await w.addServer({ status: 'closed' });
});
afterEach(async () => {
  w.game.fault = () => 'none';
  await expectLedgersToAgree(w.service.database, w.game.ledger);
});
afterAll(() => w.stop());

describe('GET /api/game/roles', () => {
  const roles = (token: string, server = w.server) =>
    w.service.client.get(`/api/game/roles?server_id=${server}`, { token });

  it("gives the caller's own roles, and nobody else's", async () => {
    const { player, token, role } = await w.createFundedRole(1234);
    const name = `O'Neil "龙" \\ 🐉`;
    const second = await w.world.createRole(w.server, { account: player.account, name, level: 7 });
    await w.createFundedRole();
    expect((await roles(token)).body.data).toEqual({
      roles: [
        { role_id: role, name: `role${role}`, level: 50, balance: 1234 },
        { role_id: second, name, level: 7, balance: 1000 },
      ],
    });
  });

  it('takes account names apart that only a collation calls equal', async () => {
    const { token, player, role } = await w.createFundedRole();
    const { account } = player;
    await w.world.createRole(w.server, { account: `${account} ` });
    await w.world.createRole(w.server, { account: account.replace('p', 'ṕ') });
    expect((await roles(token)).body.data.roles).toMatchObject([{ role_id: role }]);
  });

  it('finds a role whose account the game writes in another case', async () => {
    const player = await createPlayer(w.service);
    const account = player.account.toUpperCase();
    const role = await w.world.createRole(w.server, { account });
    const own = (await roles(tokenOf(w.service, player))).body.data.roles;
    expect(own).toMatchObject([{ role_id: role }]);
  });

  it('reads a merged server where it was merged to', async () => {
    const { token, role } = await w.createFundedRole();
    expect((await roles(token, merged)).body.data.roles).toMatchObject([{ role_id: role }]);
  });

  it('refuses unknown, closed and maintained servers', async () => {
    const { token } = await w.createFundedRole();
    expect((await roles(token, 9999)).body.error).toBe('server_not_found');
    expect((await roles(token, closed)).body.error).toBe('server_not_found');
    expect((await roles(token, maintained)).body.error).toBe('server_unavailable');
    expect((await w.service.client.get('/api/game/roles', { token })).body.error).toBe(
      'invalid_request',
    );
  });
});

describe('two accounts in the game that differ by case alone', () => {
  async function createTwins() {
    const { player, role, token, server } = await w.createFundedRole(1000);
    const shouting = player.account.toUpperCase();
    const other = await w.world.createRole(w.server, { account: shouting, balance: 1000 });
    return { player, token, server, role, other, shouting };
  }
  const rolesOf = async (token: string) =>
    (await w.service.client.get(`/api/game/roles?server_id=${w.server}`, { token })).body.data
      .roles;

  it('give their roles to nobody, and the log says so once', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const twins = await createTwins();
    for (let time = 0; time < 2; time++) {
      expect(await rolesOf(twins.token)).toEqual([]);
      for (const role of [twins.role, twins.other])
        expect((await w.withdraw({ ...twins, role }, 100)).body.error).toBe('role_not_found');
    }
    const told = error.mock.calls.filter(([text]) => String(text).includes(twins.player.account));
    expect(told).toHaveLength(1);
    error.mockRestore();
  });

  it('give them to nobody, either, beside a name that the collation takes for the same', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    for (const twinOf of [(name: string) => `${name} `, (name: string) => name.replace('p', 'ṕ')]) {
      const player = await createPlayer(w.service);
      const account = player.account.toUpperCase();
      const rich = {
        token: tokenOf(w.service, player),
        server: w.server,
        role: await w.world.createRole(w.server, { account }),
      };
      expect(await rolesOf(rich.token)).toMatchObject([{ role_id: rich.role }]);
      const twin = await w.world.createRole(w.server, { account: twinOf(player.account) });
      for (let time = 0; time < 2; time++) {
        expect(await rolesOf(rich.token)).toEqual([]);
        for (const role of [rich.role, twin])
          expect((await w.withdraw({ ...rich, role }, 100)).body.error).toBe('role_not_found');
      }
      const told = error.mock.calls.filter(([text]) => String(text).includes(player.account));
      expect(told).toHaveLength(1);
      const set = 'UPDATE player SET game_account = ? WHERE id = ?';
      await w.service.database.query(set, [account, player.id]);
      expect(await rolesOf(rich.token)).toMatchObject([{ role_id: rich.role }]);
      expect((await w.withdraw(rich, 100)).status).toBe(200);
    }
    error.mockRestore();
  });

  it('are two persons where the game tells case apart: neither gets the role of the other', async () => {
    const server = await w.addServer();
    await w.world.makeAccountsCaseSensitive(server);
    await w.untilListed(`"id":${server},`);
    const { player, token } = await w.createFundedRole(1000);
    const own = await w.world.createRole(server, { account: player.account, balance: 1000 });
    const account = player.account.toUpperCase();
    const other = await w.world.createRole(server, { account, balance: 1000 });
    const roles = await w.service.client.get(`/api/game/roles?server_id=${server}`, { token });
    expect(roles.body.data.roles).toMatchObject([{ role_id: own }]);
    const refused = await w.withdraw({ token, server, role: other }, 100);
    expect(refused.body.error).toBe('role_not_found');
    expect((await w.withdraw({ token, server, role: own }, 100)).status).toBe(200);
    expect(await w.world.balanceOf(server, other)).toBe(1000);
  });

  it('give them to the player whose game_account is exactly that name', async () => {
    const { player, role, other, shouting, ...twins } = await createTwins();
    const deduct = vi.spyOn(w.world, 'deduct');
    for (const [name, own, foreign] of [
      [player.account, role, other],
      [shouting, other, role],
    ] as const) {
      const set = 'UPDATE player SET game_account = ? WHERE id = ?';
      await w.service.database.query(set, [name, player.id]);
      expect(await rolesOf(twins.token)).toMatchObject([{ role_id: own }]);
      const refused = await w.withdraw({ ...twins, role: foreign }, 100);
      expect(refused.body.error).toBe('role_not_found');
      expect((await w.withdraw({ ...twins, role: own }, 100)).status).toBe(200);
      expect(deduct).toHaveBeenLastCalledWith(w.server, own, name, 100);
      expect(await w.world.balanceOf(w.server, own)).toBe(900);
    }
    deduct.mockRestore();
  });
});

describe("a role under another player's game_account", () => {
  it('is neither shown to nor deducted for the account of that name', async () => {
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
    // The other's is written in another way: this one's is not his.
    for (const other of [rich.player.account.toUpperCase(), `${rich.player.account} `]) {
      await w.service.database.query(set, [other, owner.player.id]);
      expect(await roles(rich.token)).toMatchObject([{ role_id: rich.role }]);
      expect((await w.withdraw(rich, 100)).status).toBe(200);
    }
  });
});

describe('POST /api/game/withdraw', () => {
  it('deducts the amount in the game, once, and writes down how', async () => {
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
    expect(row).toMatchObject({ balanceBefore: 1000, playerId: rich.player.id });
    expect(w.game.ledger.get(row.orderNo!)).toMatchObject({ requests: 1, applications: 1 });
    const events = await w.service.database
      .getRepository(WithdrawalEvent)
      .find({ where: { withdrawId: row.id }, order: { id: 'ASC' } });
    const request = answer.headers.get('x-request-id')!;
    const evidence = `player ${rich.player.id}, request ${request}`;
    expect(events).toMatchObject([
      { fromStatus: null, toStatus: 'created', cause: 'request', evidence },
      { fromStatus: 'created', toStatus: 'sending', cause: 'balance', evidence: 'balance 1000' },
      {
        fromStatus: 'sending',
        toStatus: 'succeeded',
        cause: 'gm',
        evidence: 'HTTP 200 {"code":0}',
      },
    ]);
    const finder = new WithdrawalsByRequestId(w.service.database);
    expect(await finder.find(request, requestIdTime(request))).toMatchObject([{ id: row.id }]);
    expect(await finder.find(request, undefined)).toMatchObject([{ id: row.id }]);
    // A client may have sent an id that looks like one of ours from another day.
    expect(await finder.find(request, new Date(0))).toMatchObject([{ id: row.id }]);
    expect(await finder.find(request.toLowerCase(), undefined)).toEqual([]);
    expect(await finder.find(request.slice(1), undefined)).toEqual([]);
    expect(await finder.find('_'.repeat(26), undefined)).toEqual([]);
  });

  it('leaves the role free for the next one', async () => {
    const rich = await w.createFundedRole(1000);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(800);
  });

  it.each([0, -1, 1.5, '10', 1e21, 2 ** 53, Number.NaN, null, true, [100], undefined])(
    'takes %j for no amount',
    async (amount) => {
      const rich = await w.createFundedRole();
      const answer = await w.withdraw(rich, amount as number);
      expect(answer.body.error).toBe('invalid_request');
      expect(answer.body.details[0].field).toBe('amount');
    },
  );

  it.each(['', 'a b', 'ä', 'x'.repeat(65)])('refuses the key %j', async (key) => {
    const rich = await w.createFundedRole();
    expect((await w.withdraw(rich, 100, { key })).body.error).toBe('invalid_request');
    expect(await w.rows({ roleId: rich.role })).toEqual([]);
  });

  it('keeps to the range of the settings', async () => {
    const rich = await w.createFundedRole(1_000_000);
    for (const amount of [99, 100_001]) {
      const answer = await w.withdraw(rich, amount);
      expect(answer.body.error).toBe('amount_out_of_range');
      expect(answer.body.details).toHaveLength(1);
    }
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    expect((await w.withdraw(rich, 100_000)).status).toBe(200);
  });

  it("refuses a role that does not exist, was deleted or is somebody else's, and leaves no row", async () => {
    const rich = await w.createFundedRole();
    const stranger = await w.createFundedRole();
    await w.world.removeRole(w.server, rich.role);
    for (const role of [rich.role, stranger.role, 1]) {
      const answer = await w.withdraw({ ...rich, role }, 100);
      expect(answer.body.error).toBe('role_not_found');
      expect(await w.rows({ roleId: role })).toEqual([]);
    }
    expect((await w.withdraw(stranger, 100)).status).toBe(200);
  });

  it('looks at the roles of many players at once, and mixes none up', async () => {
    const balances = Array.from({ length: 30 }, (_, place) =>
      place % 3 === 0 ? 50 : 1000 + place,
    );
    const crowd = await Promise.all(balances.map((balance) => w.createFundedRole(balance)));
    // Every fifth is known to the game by an exact name, which is another statement.
    for (const { player } of crowd.filter((_, place) => place % 5 === 0)) {
      const set = 'UPDATE player SET game_account = ? WHERE id = ?';
      await w.service.database.query(set, [player.account, player.id]);
    }
    const [first] = crowd;
    const answers = await Promise.all([
      ...crowd.map((rich) => w.withdraw(rich, 100)),
      w.withdraw({ ...first!, role: crowd[1]!.role }, 100),
    ]);
    expect(answers.pop()!.body.error).toBe('role_not_found');
    for (const [place, { status, body }] of answers.entries()) {
      const { role, player } = crowd[place]!;
      const [row] = await w.rows({ playerId: player.id });
      expect(row).toMatchObject({ roleId: role, roleName: `role${role}` });
      if (balances[place]! < 100) expect(body.error).toBe('insufficient_balance');
      else {
        expect([status, body.data.role_name]).toEqual([200, `role${role}`]);
        expect(row!.balanceBefore).toBe(balances[place]);
      }
    }
  });

  it('lets a name that the game cannot compare fail nobody else at the moment', async () => {
    const server = await w.addServer();
    await w.world.storeAccountsAsLatin1(server);
    await w.untilListed(`"id":${server},`);
    const rich = await Promise.all(
      Array.from({ length: 3 }, () => w.createFundedRole(1000, server)),
    );
    const { app } = w.service;
    const where = await app.get(WithdrawalServers).getWithdrawable(server);
    const roleOf = (account: string, role: number) =>
      app.get(GameDatabase).findRole(where, role, { account, gameAccount: account });
    // Within a tick, so in one statement.
    const [odd, ...others] = await Promise.allSettled([
      roleOf('龙', 1),
      ...rich.map(({ player, role }) => roleOf(player.account, role)),
    ]);
    expect(odd).toMatchObject({ reason: { error: 'game_server_unavailable' } });
    expect(others).toMatchObject(rich.map(({ role }) => ({ value: { id: role } })));
  });

  it('refuses servers as their status says, and leaves no row', async () => {
    const rich = await w.createFundedRole();
    const ask = async (server: number) => (await w.withdraw({ ...rich, server }, 100)).body.error;
    expect(await ask(9999)).toBe('server_not_found');
    expect(await ask(closed)).toBe('server_not_found');
    expect(await ask(maintained)).toBe('server_unavailable');
    expect(await w.rows({ playerId: rich.player.id })).toEqual([]);
  });

  it('refuses more than the balance', async () => {
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

  it('works on a merged server, whose role cannot be held twice under two names', async () => {
    const rich = await w.createFundedRole(1000);
    w.game.fault = () => 'hang_after';
    expect((await w.withdraw(rich, 100)).status).toBe(202);
    const other = await w.withdraw({ ...rich, server: merged }, 100);
    expect(other.body.error).toBe('withdrawal_open');

    w.game.fault = () => 'none';
    const another = await w.createFundedRole(1000);
    const answer = await w.withdraw({ ...another, server: merged }, 100);
    expect(answer.body.data).toMatchObject({ server_id: merged, status: 'succeeded' });
    expect(await w.rowOf(another)).toMatchObject({ serverId: merged, roleServerId: w.server });
  });
});

describe('the settings', () => {
  afterEach(() => w.service.changeSettings({ withdraw: GM_TIMEOUT }));

  it('switch withdrawals off, but an earlier one is still told', async () => {
    const rich = await w.createFundedRole();
    expect((await w.withdraw(rich, 100, { key: 'before' })).status).toBe(200);
    await w.service.changeSettings({ withdraw: { enabled: false } });
    expect((await w.withdraw(rich, 100)).body.error).toBe('withdrawal_disabled');
    expect((await w.withdraw(rich, 100, { key: 'before' })).status).toBe(200);
  });

  it('limit what a player takes in a day, also with many at once', async () => {
    await w.service.changeSettings({ withdraw: { daily_max: 500 } });
    const rich = await w.createFundedRole(10_000);
    const roles = await Promise.all(
      Array.from({ length: 19 }, () =>
        w.world.createRole(w.server, { account: rich.player.account, balance: 1000 }),
      ),
    );
    const since = performance.now();
    const all = await Promise.all(
      [rich.role, ...roles].map((role) => w.withdraw({ ...rich, role }, 100)),
    );
    const taken = all.filter(({ status }) => status === 200 || status === 202);
    expect(taken.length).toBeLessThanOrEqual(5);
    retryIfTimedOut(since, all);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = all.filter(({ status }) => status !== 200);
    for (const { body } of refused) expect(body.error).toBe('amount_out_of_range');

    // What was refused or failed is not counted, and yesterday's is not today's.
    await w.age(24 * 60 * 60);
    const poor = await w.world.createRole(w.server, { account: rich.player.account, balance: 0 });
    expect((await w.withdraw({ ...rich, role: poor }, 500)).body.error).toBe(
      'insufficient_balance',
    );
    expect((await w.withdraw(rich, 400)).status).toBe(200);
    expect((await w.withdraw(rich, 101)).body.error).toBe('amount_out_of_range');
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it('hold a withdrawal to the limit of the day that it counts on, also where midnight comes in between', async () => {
    const { to: midnight } = dayBounds('UTC', localDay('UTC', new Date()));
    await w.service.changeSettings({ timezone: 'UTC' });
    const rich = await w.createFundedRole(1000);
    const book = w.service.app.get(WithdrawalStore);
    const open = book.create.bind(book);
    const create = vi.spyOn(book, 'create').mockImplementationOnce((...opening) => {
      vi.setSystemTime(midnight.getTime() + 500);
      return open(...opening);
    });
    vi.useFakeTimers({ toFake: ['Date'], now: midnight.getTime() - 500 });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    vi.useRealTimers();
    create.mockRestore();
    const { createdAt } = await w.rowOf(rich);
    expect(createdAt.getTime()).toBeLessThan(midnight.getTime());
  });

  it('limit the largest numbers to the last digit, and they are kept so', async () => {
    const book = w.service.app.get(WithdrawalStore);
    const { id, account } = await createPlayer(w.service);
    const [most, server] = [
      Number.MAX_SAFE_INTEGER,
      { serverId: w.server, roleServerId: w.server },
    ];
    const day = { most, from: sqlTime(0), to: sqlTime(Date.now() + 60_000), nameInGame: account };
    const named = { roleName: 'role', idempotencyKey: null };
    const create = (roleId: number, amount: number) =>
      book.create(
        { playerId: id, ...server, ...named, roleId, amount, createdAt: new Date() },
        day,
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

describe('an Idempotency-Key', () => {
  it('makes a repeat answer as the first, without a second call', async () => {
    const rich = await w.createFundedRole(1000);
    const first = await w.withdraw(rich, 100, { key: 'once' });
    const second = await w.withdraw(rich, 100, { key: 'once' });
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotency-hit')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(900);
    // Keys are compared to the letter.
    const other = await w.withdraw(rich, 100, { key: 'ONCE' });
    expect(other.headers.get('idempotency-hit')).toBeNull();
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(800);
  });

  it('refuses another body', async () => {
    const rich = await w.createFundedRole(1000);
    await w.withdraw(rich, 100, { key: 'mine' });
    expect((await w.withdraw(rich, 101, { key: 'mine' })).body).toMatchObject({
      code: 42200,
      error: 'idempotency_key_reused',
    });
    const other = await w.withdraw({ ...rich, role: rich.role + 1 }, 100, { key: 'mine' });
    expect(other.body.error).toBe('idempotency_key_reused');
    const elsewhere = await w.withdraw({ ...rich, server: merged }, 100, { key: 'mine' });
    expect(elsewhere.body.error).toBe('idempotency_key_reused');
  });

  it('is its account’s own', async () => {
    const [one, two] = [await w.createFundedRole(), await w.createFundedRole()];
    const first = await w.withdraw(one, 100, { key: 'shared' });
    const second = await w.withdraw(two, 100, { key: 'shared' });
    expect(second.status).toBe(200);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it('says so while the first request is still being worked on', async () => {
    const rich = await w.createFundedRole();
    w.game.fault = () => 'hang_before';
    const first = w.withdraw(rich, 100, { key: 'slow' });
    await until(() => w.game.hangingCount === 1);
    const second = await w.withdraw(rich, 100, { key: 'slow' });
    expect(second.body).toMatchObject({ code: 40906, error: 'idempotency_conflict' });
    await w.game.release();
    expect((await first).status).toBe(200);
    const third = await w.withdraw(rich, 100, { key: 'slow' });
    expect(third.status).toBe(200);
    expect(third.headers.get('idempotency-hit')).toBe('true');
  });

  /** 200 at once with one key: one row, sent once at most, and all that they are told is true of it. */
  async function crowd(): Promise<WithdrawalStatus> {
    const rich = await w.createFundedRole(10_000);
    const key = randomUUID();
    const send = () => w.withdraw(rich, 100, { key });
    const all = await Promise.all(Array.from({ length: 200 }, send));
    // A late outcome is written down after the answer. Where not even the end could be, the sweeper writes it.
    await until(() => w.service.app.get(InFlightWithdrawals)['work'].size === 0);
    if (['created', 'sending'].includes((await w.rowOf(rich)).status)) {
      await w.age(60, { roleId: rich.role });
      await w.sweep();
    }
    const { id, status, reason, orderNo } = await w.rowOf(rich);
    const { requests, applications } = w.game.ledger.get(orderNo!) ?? NOT_SENT;
    expect(Math.max(requests, applications)).toBeLessThanOrEqual(1);
    if (status === 'succeeded') expect(applications).toBe(1);
    if (status === 'failed') expect(requests).toBe(0);
    expect(LEFT[status]).toContain(await w.world.balanceOf(w.server, rich.role));

    const own = all.filter(({ headers }) => headers.get('idempotency-hit') === null);
    expect(own.filter(({ body }) => body.data).length).toBeLessThanOrEqual(1);
    const repeat = await send();
    expect(repeat.headers.get('idempotency-hit')).toBe('true');
    for (const answer of [repeat, ...all.filter((one) => !own.includes(one))])
      if (status === 'failed')
        expect(answer).toMatchObject({ status: 503, body: { error: reason } });
      else expect(answer.body.data).toMatchObject({ id });
    for (const { status: code, body } of [...all, repeat])
      if (code === 200) expect([status, body.data]).toMatchObject(['succeeded', { id, status }]);
      else if (code === 202) expect(body.data).toMatchObject({ id, status: 'unknown' });
      else expect(BUSY).toContain(body.error);
    return status;
  }

  it('lets one of 200 through at once', async () => {
    // On a busy machine the one may find a database too slow before it is sent, or the game server after that.
    const ends = [await crowd()];
    while (ends.at(-1) !== 'succeeded' && ends.length < 3) ends.push(await crowd());
    expect(ends).toContain('succeeded');
  });
});

describe('200 withdrawals of one role at once', () => {
  it('take no more than there is, and each answer is true', async () => {
    const rich = await w.createFundedRole(350);
    const since = performance.now();
    const all = await Promise.all(Array.from({ length: 200 }, () => w.withdraw(rich, 100)));
    const succeeded = all.filter(({ status }) => status === 200).length;
    const balance = await w.world.balanceOf(w.server, rich.role);
    expect(balance).toBeGreaterThanOrEqual(50);
    expect(succeeded).toBeLessThanOrEqual(3);
    // Many wait in vain; but one has its turn, and is told how it went.
    retryIfTimedOut(since, succeeded === 0 ? all : all.filter(({ status }) => status === 202));
    expect(succeeded).toBeGreaterThanOrEqual(1);
    expect(balance).toBe(350 - succeeded * 100);
    const rows = await w.rows({ roleId: rich.role });
    expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(succeeded);
    expect(all.some(({ status }) => status >= 500 && status !== 503)).toBe(false);
  });

  it('are sent one by one: while one hangs, no other goes out', async () => {
    const rich = await w.createFundedRole(100_000);
    w.game.fault = () => 'hang_after';
    const all = await Promise.all(Array.from({ length: 50 }, () => w.withdraw(rich, 100)));
    expect(all.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(await w.world.balanceOf(w.server, rich.role)).toBe(99_900);
  });
});

describe('GET /api/game/withdraw', () => {
  it('lists the caller’s own, newest first, in pages', async () => {
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

  it('says what the daily limit leaves; what had no effect does not count', async () => {
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

  it('shows one, to its owner alone', async () => {
    const rich = await w.createFundedRole();
    const { id } = (await w.withdraw(rich, 100)).body.data;
    const show = async (token: string, which: string | number = id) =>
      (await w.service.client.get(`/api/game/withdraw/${which}`, { token })).body;
    expect((await show(rich.token)).data).toMatchObject({ id, status: 'succeeded' });
    const stranger = tokenOf(w.service, await createPlayer(w.service));
    expect((await show(stranger)).error).toBe('withdrawal_not_found');
    expect((await show(rich.token, 999_999)).error).toBe('withdrawal_not_found');
    expect((await show(rich.token, 'x')).error).toBe('invalid_request');
  });
});
