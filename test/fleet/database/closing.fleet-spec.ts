import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClosingJob } from '../../../src/features/closing/closing-job.js';
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
import { startTwoInstances, type TwoInstances } from '../../support/api/second-instance.js';

async function count(editor: Connection, sql: string): Promise<number> {
  const [rows] = await editor.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${sql}`);
  return Number(rows[0]!.n);
}

describe('Accounts that are closed while their owners act at two instances', () => {
  const PLAYERS = 12;
  const ROUNDS = 4;
  let two: TwoInstances;
  let w: Withdrawals;
  let clients: Client[];
  let editor: Connection;

  beforeAll(async () => {
    two = await startTwoInstances();
    ({ w, clients, editor } = two);
  });
  afterAll(() => two.stop());

  /** Closes due accounts twice in parallel, as two more instances would. */
  async function closeDueTwice(): Promise<void> {
    const job = w.service.app.get(ClosingJob);
    await Promise.all([job.closeDue(), job.closeDue()]);
  }

  const closed = (ids: number[]) => `player WHERE id IN (${ids.join()}) AND closed_at IS NOT NULL`;
  const link = ({ player }: FundedRole, client: Client) =>
    client.post('/api/bind_account', { account: player.account, connect_id: unique('identity') });

  it('get no later withdrawal or link, and are closed once', async () => {
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
      // The test reads this list once because an instance's timer may close more accounts at any time.
      const [closedNow] = await editor.query<RowDataPacket[]>(`SELECT id FROM ${closed(ids)}`);
      const ofClosed = `player_id IN (${[0, ...closedNow.map(({ id }) => Number(id))].join()})`;
      const rows = await count(editor, `withdraw WHERE ${ofClosed}`);
      expect(await count(editor, `withdraw WHERE is_open = 1 AND ${ofClosed}`)).toBe(0);
      closings += closedNow.length;
      await Promise.all(asked);
      expect(await count(editor, `withdraw WHERE ${ofClosed}`)).toBe(rows);
      expect(await count(editor, `player_connect_threeparty WHERE ${ofClosed}`)).toBe(0);
      // A withdrawal that failed on a busy machine may stay open briefly.
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
    // The test does not wait for readiness because all accounts might be closed by then.
    instance = await spawnGatehouse(deployment.env);
    await until(async () => (await count(editor, isClosed)) > 5, inAMinute);
    await instance.kill();
    expect(await count(editor, isClosed)).toBeLessThan(PLAYERS);
    // The table's CHECK does not cover this column of a closed account.
    expect(await count(editor, 'player WHERE closed_at IS NOT NULL AND ip IS NOT NULL')).toBe(0);
    instance = await startGatehouse(deployment.env);
    await until(async () => (await count(editor, isClosed)) === PLAYERS, inAMinute);
    expect(await count(editor, "audit_event WHERE act = 'player.closed'")).toBe(PLAYERS);
    await instance.stop();
    // The closing is backdated, and an instance looks for due work at startup.
    await editor.query("UPDATE player SET closed_at = '2026-01-01'");
    instance = await startGatehouse(deployment.env);
    await until(
      async () => (await count(editor, 'player WHERE closing_at IS NULL')) === PLAYERS,
      inAMinute,
    );
    expect(await count(editor, 'login_event WHERE player_id IS NOT NULL')).toBe(0);
  });
});
