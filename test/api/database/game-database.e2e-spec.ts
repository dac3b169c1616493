import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { GameDatabase } from '../../../src/features/withdraw/game/game-database.js';
import {
  ServerFailureMetrics,
  WithdrawalServers,
} from '../../../src/features/withdraw/game/withdrawal-servers.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { addServer, createPlayer, tokenOf } from '../../support/api/factories.js';
import { GameWorld } from '../../support/api/game-world.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import {
  expectLedgersToAgree,
  type FundedRole,
  Withdrawals,
} from '../../support/api/withdrawals.js';

let w: Withdrawals;
/** These collations exist only on a real MariaDB server. */
let mariadb: GameWorld;
const hasMariaDb = inject('database').kind !== 'embedded';

beforeAll(async () => {
  if (hasMariaDb) mariadb = await GameWorld.start();
  w = await Withdrawals.start({}, {}, mariadb);
});
afterEach(() => expectLedgersToAgree(w.service.database, w.game.ledger));
afterAll(() => w.stop());

describe('GET /api/game/roles', () => {
  const roles = (token: string, server = w.server) =>
    w.service.client.get(`/api/game/roles?server_id=${server}`, { token });

  it("returns only the caller's own roles", async () => {
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
});

const rolesOf = async (token: string, server = w.server) =>
  (await w.service.client.get(`/api/game/roles?server_id=${server}`, { token })).body.data.roles;

const gameAccountOf = async ({ id }: Player) =>
  (await w.service.database.getRepository(Player).findOneByOrFail({ id })).gameAccount;
const setGameAccount = (name: string, { id }: Player) =>
  w.service.database.query('UPDATE player SET game_account = ? WHERE id = ?', [name, id]);

describe("A player's exact name in the game", () => {
  async function createShouting() {
    const player = await createPlayer(w.service);
    const name = player.account.toUpperCase();
    const role = await w.world.createRole(w.server, { account: name });
    return { player, name, role, token: tokenOf(w.service, player), server: w.server };
  }

  it('is stored with the first role list and sent to the game from then on', async () => {
    const { player, name, role, token } = await createShouting();
    expect(await rolesOf(token)).toMatchObject([{ role_id: role }]);
    expect(await gameAccountOf(player)).toBe(name);
    // A role that appears later under the account's own name changes nothing.
    await w.world.createRole(w.server, { account: player.account });
    expect(await rolesOf(token)).toMatchObject([{ role_id: role }]);
    const body = { server_id: w.server };
    const entered = await w.service.client.post('/api/enter_game', body, { token });
    expect(entered.body.data.account).toBe(name);
  });

  it('is stored once by concurrent first requests and sent in the GM command', async () => {
    const rich = await createShouting();
    const deduct = vi.spyOn(w.world, 'deduct');
    const path = `/api/game/roles?server_id=${w.server}`;
    const lists = times(5, () => () => w.service.client.get(path, rich));
    const withdrawals = times(5, () => () => w.withdraw(rich, 100));
    const answers = await allAtOnce([...lists, ...withdrawals]);
    // On a busy machine, the service may reject some requests.
    for (const { status, body } of answers.slice(0, lists.length))
      if (status !== 503) expect(body.data.roles).toMatchObject([{ role_id: rich.role }]);
    for (const { body } of answers) expect(body.error).not.toBe('role_not_found');
    expect(await gameAccountOf(rich.player)).toBe(rich.name);
    await w.withdraw(rich, 100);
    const names = deduct.mock.calls.map(([, , name]) => name);
    expect(new Set(names)).toEqual(new Set([rich.name]));
    deduct.mockRestore();
  });

  it('is not stored before the game has a role', async () => {
    const player = await createPlayer(w.service);
    const token = tokenOf(w.service, player);
    expect(await rolesOf(token)).toEqual([]);
    const refused = await w.withdraw({ token, server: w.server, role: 1 }, 100);
    expect(refused.body.error).toBe('role_not_found');
    expect(await gameAccountOf(player)).toBeNull();
    const role = await w.world.createRole(w.server, { account: player.account });
    expect(await rolesOf(token)).toMatchObject([{ role_id: role }]);
    expect(await gameAccountOf(player)).toBe(player.account);
  });

  it('is rejected and logged once if another player has it', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const { player, name, ...rich } = await createShouting();
    await setGameAccount(name, await createPlayer(w.service));
    for (let time = 0; time < 2; time++) {
      expect(await rolesOf(rich.token)).toEqual([]);
      expect((await w.withdraw(rich, 100)).body.error).toBe('role_not_found');
    }
    expect(await gameAccountOf(player)).toBeNull();
    const told = error.mock.calls.filter(([text]) => String(text).includes(player.account));
    expect(told).toEqual([[expect.stringContaining('the game_account of another player')]]);
    error.mockRestore();
  });
});

describe('A game name that differs from the account name only in case', () => {
  it('is not stored while another server spells it differently, which is logged once', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const other = await w.addServer();
    await w.untilListed(`"id":${other},`);
    const { player, token, role } = await w.createFundedRole(1000, other);
    const shouted = await w.world.createRole(w.server, { account: player.account.toUpperCase() });
    for (let time = 0; time < 2; time++) {
      expect(await rolesOf(token)).toEqual([]);
      const refused = await w.withdraw({ token, server: w.server, role: shouted }, 100);
      expect(refused.body.error).toBe('role_not_found');
    }
    expect(await gameAccountOf(player)).toBeNull();
    const told = error.mock.calls.filter(([text]) => String(text).includes(player.account));
    expect(told).toEqual([[expect.stringContaining('in more than one way')]]);
    error.mockRestore();
    expect(await rolesOf(token, other)).toMatchObject([{ role_id: role }]);
    expect(await gameAccountOf(player)).toBe(player.account);
  });

  it('is not stored while a server cannot be read', async () => {
    const dark = await addServer(w.service.database);
    const player = await createPlayer(w.service);
    const name = player.account.toUpperCase();
    const role = await w.world.createRole(w.server, { account: name });
    await w.untilListed(`"id":${dark.id}`);
    const rich = { token: tokenOf(w.service, player), server: w.server, role };
    expect((await w.withdraw(rich, 100)).body.error).toBe('game_server_unavailable');
    expect(await gameAccountOf(player)).toBeNull();
    await w.service.database.query(`UPDATE server SET status = 'closed' WHERE id = ${dark.id}`);
    expect((await w.withdraw(rich, 100)).status).toBe(200);
    expect(await gameAccountOf(player)).toBe(name);
  });
});

describe('Two game accounts that differ only by case', () => {
  async function createTwins() {
    const { player, role, token, server } = await w.createFundedRole(1000);
    const shouting = player.account.toUpperCase();
    const other = await w.world.createRole(w.server, { account: shouting, balance: 1000 });
    return { player, token, server, role, other, shouting };
  }

  it('are not shown to any player, which is logged once', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    const twins = await createTwins();
    for (let time = 0; time < 2; time++) {
      expect(await rolesOf(twins.token)).toEqual([]);
      for (const role of [twins.role, twins.other])
        expect((await w.withdraw({ ...twins, role }, 100)).body.error).toBe('role_not_found');
    }
    const told = error.mock.calls.filter(([text]) => String(text).includes(twins.player.account));
    expect(told).toHaveLength(1);
    expect(await gameAccountOf(twins.player)).toBeNull();
    error.mockRestore();
  });

  it('each belong to the player whose game_account matches exactly', async () => {
    const { player, role, other, shouting, ...twins } = await createTwins();
    const deduct = vi.spyOn(w.world, 'deduct');
    for (const [name, own, foreign] of [
      [player.account, role, other],
      [shouting, other, role],
    ] as const) {
      await setGameAccount(name, player);
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

describe('POST /api/game/withdraw', () => {
  it("reads many players' roles in parallel without mixing them up", async () => {
    const balances = Array.from({ length: 12 }, (_, place) =>
      place % 3 === 0 ? 50 : 1000 + place,
    );
    const crowd: FundedRole[] = [];
    for (const balance of balances) crowd.push(await w.createFundedRole(balance));
    const [first] = crowd;
    const answers = await allAtOnce([
      ...crowd.map((rich) => () => w.withdraw(rich, 100)),
      () => w.withdraw({ ...first!, role: crowd[1]!.role }, 100),
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
});

if (hasMariaDb)
  describe('A game database on MariaDB', () => {
    it('distinguishes account names that the collation treats as equal', async () => {
      const { token, player, role } = await w.createFundedRole();
      const { account } = player;
      await w.world.createRole(w.server, { account: `${account} ` });
      await w.world.createRole(w.server, { account: account.replace('p', 'ṕ') });
      expect(await rolesOf(token)).toMatchObject([{ role_id: role }]);
    });

    it('hides the roles of two accounts that only its collation treats as equal', async () => {
      const error = vi.spyOn(Logger.prototype, 'error');
      for (const twinOf of [
        (name: string) => `${name} `,
        (name: string) => name.replace('p', 'ṕ'),
      ]) {
        const player = await createPlayer(w.service);
        const account = player.account.toUpperCase();
        const rich = {
          token: tokenOf(w.service, player),
          server: w.server,
          role: await w.world.createRole(w.server, { account }),
        };
        const twin = await w.world.createRole(w.server, { account: twinOf(player.account) });
        for (let time = 0; time < 2; time++) {
          expect(await rolesOf(rich.token)).toEqual([]);
          for (const role of [rich.role, twin])
            expect((await w.withdraw({ ...rich, role }, 100)).body.error).toBe('role_not_found');
        }
        const told = error.mock.calls.filter(([text]) => String(text).includes(player.account));
        expect(told).toHaveLength(1);
        await setGameAccount(account, player);
        expect(await rolesOf(rich.token)).toMatchObject([{ role_id: rich.role }]);
        expect((await w.withdraw(rich, 100)).status).toBe(200);
      }
      error.mockRestore();
    });

    it('distinguishes accounts that differ by case under a case-sensitive collation', async () => {
      const server = await w.addServer();
      await mariadb.makeAccountsCaseSensitive(server);
      await w.untilListed(`"id":${server},`);
      const { player, token } = await w.createFundedRole(1000);
      const own = await w.world.createRole(server, { account: player.account, balance: 1000 });
      const account = player.account.toUpperCase();
      const other = await w.world.createRole(server, { account, balance: 1000 });
      expect(await rolesOf(token, server)).toMatchObject([{ role_id: own }]);
      const refused = await w.withdraw({ token, server, role: other }, 100);
      expect(refused.body.error).toBe('role_not_found');
      expect((await w.withdraw({ token, server, role: own }, 100)).status).toBe(200);
      expect(await w.world.balanceOf(server, other)).toBe(1000);
    });

    it('returns no roles for a name that its character set cannot represent, and counts no failure', async () => {
      const server = await w.addServer();
      await mariadb.storeAccountsAsLatin1(server);
      await w.untilListed(`"id":${server},`);
      const rich = await w.createFundedRole(1000, server);
      const { app } = w.service;
      const where = await app.get(WithdrawalServers).getWithdrawable(server);
      const failed = vi.spyOn(app.get(ServerFailureMetrics), 'count');
      const game = app.get(GameDatabase);
      expect(await game.rolesOf(where, '龙')).toEqual([]);
      expect(await game.spellingsOf(where, '龙')).toEqual([]);
      expect(await game.findRole(where, rich.role, '龙')).toBeUndefined();
      expect(failed).not.toHaveBeenCalled();
      failed.mockRestore();
      expect((await w.withdraw(rich, 100)).status).toBe(200);
    });

    it('is read over at most four connections', async () => {
      const rich = await w.createFundedRole(100_000);
      await Promise.all(Array.from({ length: 30 }, () => w.withdraw(rich, 100)));
      const connections = await mariadb.connections(w.server);
      expect(connections).toBeGreaterThanOrEqual(1);
      expect(connections).toBeLessThanOrEqual(4);
    });
  });
