import type { Connection, RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/api/client.js';
import { expectLedgersToAgree, Withdrawals } from '../../support/api/withdrawals.js';
import { until } from '../../support/until.js';
import { startTwoInstances, type TwoInstances } from '../../support/api/second-instance.js';

const ROLES = 12;
const ROUNDS = 6;
/** Lists the errors of a withdrawal that waits too long for another one's lock. */
const BUSY = ['service_unavailable', 'game_server_unavailable'];

let two: TwoInstances;
let w: Withdrawals;
let clients: Client[];
let editor: Connection;

beforeAll(async () => {
  two = await startTwoInstances();
  ({ w, clients, editor } = two);
});
afterAll(() => two.stop());

async function countRows(playerId: number): Promise<number> {
  const sql = 'SELECT COUNT(*) AS n FROM withdraw WHERE player_id = ?';
  const [rows] = await editor.query<RowDataPacket[]>(sql, [playerId]);
  return Number(rows[0]!.n);
}

describe('While two instances open many withdrawals, a ban inserted by SQL', () => {
  it.each([
    ['all', 'account_disabled'],
    ['withdraw', 'withdrawal_banned'],
  ])('with scope %s either prevents or follows a withdrawal', async (scope, error) => {
    for (let round = 0; round < ROUNDS; round++) {
      const rich = await w.createFundedRole(1000);
      const { account, id } = rich.player;
      const roles = [rich.role];
      while (roles.length < ROLES)
        roles.push(await w.world.createRole(w.server, { account, balance: 1000 }));
      const asked = roles.map((role, index) =>
        w.withdraw({ ...rich, role }, 100, { client: clients[index % 2]! }),
      );
      await until(async () => (await countRows(id)) > round);
      const ban = 'INSERT INTO player_ban (player_id, scope, reason) VALUES (?, ?, ?)';
      await editor.query(ban, [id, scope, 'botting']);
      const opened = await countRows(id);
      const answers = await Promise.all(asked);
      expect(await countRows(id), `rows after the ban, round ${round}`).toBe(opened);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const { body } of refused) expect([error, ...BUSY]).toContain(body.error);
    }
    await expectLedgersToAgree(w.service.database, w.game.ledger);
  });
});
