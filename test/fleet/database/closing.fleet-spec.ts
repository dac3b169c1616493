import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClosingJob } from '../../../src/features/closing/closing-job.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { unique } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
import { makeDue } from '../../support/api/closing.js';
import { type Deployment, freshDeployment } from '../../support/api/deployment.js';
import {
  expectLedgersToAgree,
  type FundedRole,
  Withdrawals,
} from '../../support/api/withdrawals.js';
import {
  type Gatehouse,
  spawnGatehouse,
  startGatehouse,
} from '../../support/servers/gatehouse-process.js';
import { until } from '../../support/until.js';

async function count(editor: Connection, sql: string): Promise<number> {
  const [rows] = await editor.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${sql}`);
  return Number(rows[0]!.n);
}

describe('accounts that are closed while their owners act at two instances', () => {
  const PLAYERS = 12;
  const ROUNDS = 4;
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

  /** As two more instances would. */
  async function closeDueTwice(): Promise<void> {
    const job = w.service.app.get(ClosingJob);
    await Promise.all([job.closeDue(), job.closeDue()]);
  }

  const closed = (ids: number[]) => `player WHERE id IN (${ids.join()}) AND closed_at IS NOT NULL`;
  const link = ({ player }: FundedRole, client: Client) =>
    client.post('/api/bind_account', { account: player.account, connect_id: unique('identity') });

  it('have no withdrawal and no link from after that, and are closed once', async () => {
    let closings = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const roles: FundedRole[] = [];
      while (roles.length < PLAYERS) roles.push(await w.createFundedRole(1000));
      const ids = roles.map(({ player }) => player.id);
      await makeDue(w.service, ...ids);
      const asked = roles.flatMap((role, index) => [
        w.withdraw(role, 100, { client: clients[index % 2]! }),
        link(role, clients[(index + 1) % 2]!),
      ]);
      await closeDueTwice();
      // Read once: the timer of an instance may close more of them at any time.
      const [closedNow] = await editor.query<RowDataPacket[]>(`SELECT id FROM ${closed(ids)}`);
      const ofClosed = `player_id IN (${[0, ...closedNow.map(({ id }) => Number(id))].join()})`;
      const rows = await count(editor, `withdraw WHERE ${ofClosed}`);
      expect(await count(editor, `withdraw WHERE is_open = 1 AND ${ofClosed}`)).toBe(0);
      closings += closedNow.length;
      await Promise.all(asked);
      expect(await count(editor, `withdraw WHERE ${ofClosed}`)).toBe(rows);
      expect(await count(editor, `player_connect_threeparty WHERE ${ofClosed}`)).toBe(0);
      // A withdrawal that failed on a busy machine may still be open for a moment.
      await until(async () => {
        await closeDueTwice();
        return (await count(editor, closed(ids))) === PLAYERS;
      });
    }
    expect(closings).toBeGreaterThan(0);
    expect(await count(editor, "audit_event WHERE act = 'player.closed'")).toBe(PLAYERS * ROUNDS);
    await expectLedgersToAgree(w.service.database, w.game.ledger);
  });
});

describe('kill -9 while accounts are being closed', () => {
  const PLAYERS = 400;
  let deployment: Deployment;
  let editor: Connection;
  let instance: Gatehouse | undefined;

  beforeAll(async () => {
    deployment = await freshDeployment();
    instance = await startGatehouse(deployment.env);
    await instance.stop();
    editor = await createConnection(deployment.url);
  });
  afterAll(async () => {
    await instance?.kill();
    await editor.end();
    await deployment.drop();
  });

  it('leaves each account open or closed, and the next instance finishes all of them', async () => {
    const players = Array.from(
      { length: PLAYERS },
      (_, i) =>
        `('leaving_${i}', '${'0'.repeat(32)}', 'p${i}@mail.example', '203.0.113.7', '2026-01-01')`,
    );
    await editor.query(
      `INSERT INTO player (account, password, email, ip, closing_at) VALUES ${players.join()}`,
    );
    await editor.query(
      `INSERT INTO login_event (created_at, way, outcome, player_id, address)
       SELECT '2026-01-01', 'login', 'ok', p.id, '203.0.113.7' FROM player p JOIN player q ON q.id <= 20`,
    );
    const isClosed = 'player WHERE closed_at IS NOT NULL';
    const inAMinute = { within: 120_000 };
    // Not once it is ready, when a slow test might find all of them closed.
    instance = await spawnGatehouse(deployment.env);
    await until(async () => (await count(editor, isClosed)) > 5, inAMinute);
    await instance.kill();
    expect(await count(editor, isClosed)).toBeLessThan(PLAYERS);
    // Whatever the CHECK of the table does not say about a closed account.
    expect(await count(editor, 'player WHERE closed_at IS NOT NULL AND ip IS NOT NULL')).toBe(0);
    instance = await startGatehouse(deployment.env);
    await until(async () => (await count(editor, isClosed)) === PLAYERS, inAMinute);
    expect(await count(editor, "audit_event WHERE act = 'player.closed'")).toBe(PLAYERS);
    await instance.stop();
    // Half an hour later. An instance begins a round when it starts.
    await editor.query("UPDATE player SET closed_at = '2026-01-01'");
    instance = await startGatehouse(deployment.env);
    await until(
      async () => (await count(editor, 'player WHERE closing_at IS NULL')) === PLAYERS,
      inAMinute,
    );
    expect(await count(editor, 'login_event WHERE player_id IS NOT NULL')).toBe(0);
  });
});
