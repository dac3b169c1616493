import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../../src/platform/config/environment.js';
import { Client } from '../../support/api/client.js';
import { expectLedgersToAgree, Withdrawals } from '../../support/api/withdrawals.js';
import { type Gatehouse, startGatehouse } from '../../support/servers/gatehouse-process.js';
import { until } from '../../support/until.js';

const ROLES = 12;
const ROUNDS = 6;
/** A withdrawal that waits too long for the lock of another one is refused, too. */
const BUSY = ['service_unavailable', 'game_server_unavailable'];

/** Two instances: one in this process, one of its own. */
let w: Withdrawals;
let instance: Gatehouse;
let clients: Client[];
let editor: Connection;

beforeAll(async () => {
  w = await Withdrawals.start({ gm_timeout: 10 });
  const { app, settingsFile, client } = w.service;
  const { DATABASE_URL, JWT_SECRET, PASSWORD_KEY, GM_SECRET } = app.get(Environment);
  instance = await startGatehouse({
    DATABASE_URL,
    GAME_DATABASE_URL: w.world.urlAt(),
    SETTINGS_FILE: settingsFile,
    JWT_SECRET,
    PASSWORD_KEY,
    GM_SECRET,
  });
  clients = [client, new Client(instance.url)];
  editor = await createConnection(DATABASE_URL!);
});
afterAll(async () => {
  await editor.end();
  await instance.kill();
  await w.stop();
});

async function countRows(playerId: number): Promise<number> {
  const sql = 'SELECT COUNT(*) AS n FROM withdraw WHERE player_id = ?';
  const [rows] = await editor.query<RowDataPacket[]>(sql, [playerId]);
  return Number(rows[0]!.n);
}

describe('a ban that is typed in SQL while many withdrawals are being opened at two instances', () => {
  it.each([
    ['all', 'account_disabled'],
    ['withdraw', 'withdrawal_banned'],
  ])('of scope %s stops a withdrawal or comes after it', async (scope, error) => {
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
