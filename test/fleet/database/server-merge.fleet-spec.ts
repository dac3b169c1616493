import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { lockPlayer } from '../../../src/platform/auth/player-row-lock.js';
import { sqlTime } from '../../../src/platform/database/sql.js';
import { ActionRefused } from '../../../src/operators/actions/action-refused.js';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { checkLimits } from '../../../src/features/withdraw/record/withdrawal-limits.js';
import { appendEvent, insertRow } from '../../../src/features/withdraw/record/withdrawal-rows.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { ServerSqlEdits } from '../../../src/features/servers/server-sql-edits.js';
import { ServerWithdrawalStats } from '../../../src/operators/actions/servers/server-withdrawal-stats.js';
import { ServerActions } from '../../../src/operators/actions/servers/server-actions.js';
import { unique } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
import { createPlayer } from '../../support/api/factories.js';
import type { Gatehouse } from '../../support/servers/gatehouse-process.js';
import { until } from '../../support/until.js';
import {
  callerOf,
  expectLedgersToAgree,
  type FundedRole,
  Withdrawals,
} from '../../support/api/withdrawals.js';
import { startSecondInstance } from '../../support/api/second-instance.js';

const WHO = { by: 'anna', note: 'merge' };
const MANY = 12;
/** Includes the errors of a withdrawal that waits too long for a lock or for the game's database. */
const REFUSED = ['server_unavailable', 'service_unavailable', 'game_server_unavailable'];

let w: Withdrawals;
let instance: Gatehouse;
let other: Client;
let acts: ServerActions;

beforeAll(async () => {
  // A withdrawal that times out would stay open and block the merge.
  w = await Withdrawals.start({ gm_timeout: 10 });
  const { database, app } = w.service;
  const audit = new AuditLog(database);
  acts = new ServerActions(
    database,
    app.get(Environment),
    app.get(Settings),
    audit,
    new ServerWithdrawalStats(database),
    new ServerSqlEdits(database.getRepository(GameServer), audit),
  );
  instance = await startSecondInstance(w);
  other = new Client(instance.url);
});
afterAll(async () => {
  await instance.kill();
  await w.stop();
});

/** Puts both servers into maintenance and merges them as soon as no withdrawal is open. */
async function shutAndMerge(from: number, into: number): Promise<void> {
  for (const id of [from, into]) await acts.setStatus(WHO, id, 'maintenance');
  await until(() =>
    acts.merge(WHO, from, into).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ActionRefused && error.message.includes('settle')) return false;
        throw error;
      },
    ),
  );
}

const openIn = (...servers: number[]) =>
  new ServerWithdrawalStats(w.service.database).findIds(w.service.database.manager, servers);

/** Waits until a matching statement is running, which means that it waits for a lock. */
async function untilWaiting(kind: string): Promise<void> {
  const waiting = `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE ? AND id <> CONNECTION_ID()`;
  await until(async () => (await w.service.database.query<unknown[]>(waiting, [kind])).length > 0);
}

describe('A server merge', () => {
  it('makes the service reject a withdrawal that was accepted earlier but not yet stored', async () => {
    const from = await w.addServer();
    const into = await w.addServer();
    await w.untilListed(String(into));
    const rich = await w.createFundedRole(1000, from);
    await until(async () => (await other.get('/api/server/list')).text.includes(`"id":${into}`));
    const { database } = w.service;
    // This request stores the player's game name in advance, because storing it needs the player's row.
    await w.service.client.get(`/api/game/roles?server_id=${from}`, { token: rich.token });
    let answer: ReturnType<typeof w.withdraw>;
    await database.transaction(async (manager) => {
      await lockPlayer(manager, rich.player.id);
      answer = w.withdraw(rich, 100, { client: other });
      // On a slow machine, the withdrawal may time out before the test sees it wait.
      await Promise.race([untilWaiting('%SET lock_version%'), answer]);
      await shutAndMerge(from, into);
    });
    expect(REFUSED).toContain((await answer!).body.error);
    expect(await w.rows({ roleId: rich.role })).toEqual([]);
  });

  it("makes a withdrawal wait for its server's uncommitted maintenance, which then rejects it", async () => {
    const from = await w.addServer();
    const rich = await w.createFundedRole(1000, from);
    await until(async () => (await other.get('/api/server/list')).text.includes(`"id":${from}`));
    let answer: ReturnType<typeof w.withdraw>;
    await w.service.database.transaction(async (manager) => {
      await manager.query(`UPDATE server SET status = 'maintenance' WHERE id = ?`, [from]);
      answer = w.withdraw(rich, 100, { client: other });
      // The service retries for two seconds.
      await answer;
    });
    expect(REFUSED).toContain((await answer!).body.error);
    expect(await w.rows({ roleId: rich.role })).toEqual([]);
  });

  it("delays only its own servers' withdrawals", async () => {
    const [from, another] = [await w.addServer(), await w.addServer()];
    const [rich, second, third] = [
      await w.createFundedRole(1000, from),
      await w.createFundedRole(1000, another),
      await w.createFundedRole(1000, another),
    ];
    await until(async () => (await other.get('/api/server/list')).text.includes(`"id":${another}`));
    let answer: ReturnType<typeof w.withdraw>;
    let others: Array<Awaited<typeof answer>> = [];
    await w.service.database.transaction(async (manager) => {
      await manager.query('SELECT id FROM server WHERE id = ? FOR UPDATE', [from]);
      answer = w.withdraw(rich, 100, { client: other });
      await createPlayer(w.service);
      const alongside = [second, third].map((one) => w.withdraw(one, 100, { client: other }));
      others = await Promise.all(alongside);
      await w.service.database.query('UPDATE player SET game_account = ? WHERE id = ?', [
        unique('renamed'),
        second.player.id,
      ]);
    });
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    expect([undefined, ...REFUSED]).toContain((await answer!).body.error);
  });

  it('waits for a withdrawal that is stored but not yet committed, and is rejected', async () => {
    const [from, into] = [await w.addServer(), await w.addServer()];
    const { player, role } = await w.createFundedRole(1000, from);
    const opening = {
      playerId: player.id,
      serverId: from,
      roleServerId: from,
      roleId: role,
      roleName: 'role',
      amount: 100,
      idempotencyKey: null,
      requestId: null,
      address: null,
      sessionId: null,
      createdAt: new Date(),
    };
    const day = { from: sqlTime(0), to: sqlTime(new Date()) };
    const today = { ...day, most: 1000, nameInGame: player.account };
    const ended = { yes: false };
    let merging: Promise<unknown>;
    await w.service.database.transaction(async (manager) => {
      await checkLimits(manager, opening, today, callerOf(player));
      const { id } = await insertRow(manager, opening);
      await appendEvent(manager, id, null, 'created', { cause: 'request', evidence: 'player' });
      merging = (async () => {
        for (const server of [from, into]) await acts.setStatus(WHO, server, 'maintenance');
        await acts.merge(WHO, from, into);
      })();
      void merging.catch(() => undefined).finally(() => (ended.yes = true));
      await Promise.race([untilWaiting('UPDATE `server`%'), until(() => ended.yes)]);
      expect(ended.yes).toBe(false);
    });
    await expect(merging!).rejects.toThrow('settle these withdrawals first');
  });

  it('never happens while a withdrawal is open, even if two instances keep opening withdrawals', async () => {
    const from = await w.addServer();
    const into = await w.addServer();
    await until(async () => (await other.get('/api/server/list')).text.includes(`"id":${into}`));
    await w.untilListed(String(into));
    const players: FundedRole[] = [];
    for (let n = 0; n < MANY; n++)
      players.push(await w.createFundedRole(1000, n % 2 ? from : into));
    w.game.fault = () => 'hang_before';
    const asked = players.map((rich, n) =>
      w.withdraw(rich, 100, { client: n % 4 < 2 ? other : w.service.client }),
    );
    await until(() => w.game.hangingCount > 0);
    const merged = shutAndMerge(from, into);
    w.game.fault = () => 'none';
    await w.game.release();
    await merged;
    const open = await openIn(from, into);
    const answers = await Promise.all(asked);
    expect(open).toEqual([]);
    const errors = answers.map(({ body }) => body.error as string | undefined);
    for (const error of errors) expect([undefined, ...REFUSED]).toContain(error);
    expect(errors).toContain(undefined);
    await expectLedgersToAgree(w.service.database, w.game.ledger);
  });
});
