import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { FakeGameServer } from '../support/api/game-server.js';
import { SqliteGameWorld } from '../support/api/sqlite-game-world.js';
import { GM_TIMEOUT } from '../support/api/withdrawals.js';
import { SECRETS } from '../support/accounts.js';
import { insertPlayer, logIn } from '../support/servers/cluster-fleet.js';
import {
  type Gatehouse,
  spawnGatehouse,
  startGatehouse,
} from '../support/servers/gatehouse-process.js';
import { query } from '../support/servers/mariadb.js';
import { ReplicatedPair, setReadOnly } from '../support/servers/replicated-pair.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { until } from '../support/until.js';

const KEYS = ['first-key', 'second-key', 'third-key'];
const AMOUNT = 100;
const FAILED_OVER = { within: 100_000 };

let pair: ReplicatedPair;
let world: SqliteGameWorld;
let game: FakeGameServer;
let running: Gatehouse;
let started: Gatehouse | undefined;
let role: number;
let token: string;

const environment = () => ({
  ...SECRETS,
  DATABASE_URL: pair.url,
  GAME_DATABASE_URL: world.urlAt(),
  SETTINGS_FILE: writeSettingsFile({ withdraw: GM_TIMEOUT }),
});

const isReady = async ({ url }: Gatehouse) =>
  (await new Client(url).get('/api/health/ready')).status === 200;

async function withdraw({ url }: Gatehouse, key: string): Promise<number> {
  const body = { server_id: 1, role_id: role, amount: AMOUNT };
  const request = { token, headers: { 'Idempotency-Key': key } };
  return (await new Client(url).post('/api/game/withdraw', body, request)).status;
}

async function repeatAll(instance: Gatehouse): Promise<number[]> {
  const statuses: number[] = [];
  for (const key of KEYS) statuses.push(await withdraw(instance, key));
  return statuses;
}

const deducted = async () => (10_000 - (await world.balanceOf(1, role))) / AMOUNT;

/** Freezes the primary, promotes its replica, withdraws through the instance, and then resumes the primary. */
beforeAll(async () => {
  pair = await ReplicatedPair.start();
  world = await SqliteGameWorld.start();
  game = await FakeGameServer.start(world, SECRETS.GM_SECRET);
  running = await startGatehouse(environment());
  const primary = `${pair.primary.rootUrl}/gatehouse`;
  await query(
    primary,
    `INSERT INTO server (id, name, address, port, gm_port) VALUES (1, 'z', '127.0.0.1', 7000, ${game.port})`,
  );
  await world.addServer(1);
  const { account } = await insertPlayer(primary);
  role = await world.createRole(1, { account, balance: 10_000 });
  token = await logIn(new Client(running.url), account);
  await pair.untilReplicated();
  pair.primary.pause();
  await pair.promoteReplica();
  await until(async () => (await withdraw(running, KEYS[0]!)) === 200, FAILED_OVER);
  expect(await repeatAll(running)).toEqual([200, 200, 200]);
  expect(await deducted()).toBe(KEYS.length);
  pair.primary.resume();
});
afterAll(async () => {
  await Promise.all([running?.kill(), started?.kill()]);
  await pair?.stop();
  await game?.stop();
  await world?.stop();
});

describe('A frozen primary that accepts writes again after its replica was promoted', () => {
  it('makes the running instances reject writes and report both hosts', async () => {
    const [, first, second] = await running.process.waitForLine(
      /([\d.:]+) and ([\d.:]+) accept wri/,
    );
    expect([first, second]).toEqual(
      [pair.primary, pair.replica].map(({ port }) => `127.0.0.1:${port}`),
    );
    await until(async () => !(await isReady(running)));
    expect(await withdraw(running, 'another-key')).toBe(503);
    const metrics = await new Client(running.url).get('/api/metrics');
    expect(metrics.text).toMatch(/^gatehouse_database_primaries 2$/m);
  });

  it('prevents a new instance from becoming ready and from repeating withdrawals', async () => {
    started = await spawnGatehouse(environment());
    await started.process.waitForLine(/listening on/);
    await started.process.waitForLine(/accept writes independently/);
    const repeated = await repeatAll(started);
    expect(await deducted()).toBe(KEYS.length);
    expect(repeated).toEqual([503, 503, 503]);
    expect(await isReady(started)).toBe(false);
  });

  it('is not used by any instance while the promoted replica is frozen', async () => {
    const chosen = new RegExp(`may be an old primary|is now at 127.0.0.1:${pair.primary.port}`);
    pair.replica.pause();
    try {
      for (const instance of [running, started!]) {
        await instance.process.waitForLine(chosen);
        const repeated = await repeatAll(instance);
        expect(await deducted()).toBe(KEYS.length);
        expect(repeated).toEqual([503, 503, 503]);
      }
    } finally {
      pair.replica.resume();
    }
  });

  it('no longer affects any instance once it is read-only', async () => {
    await setReadOnly(pair.primary, true);
    await until(async () => (await isReady(running)) && (await isReady(started!)), FAILED_OVER);
    expect(await repeatAll(running)).toEqual([200, 200, 200]);
    expect(await repeatAll(started!)).toEqual([200, 200, 200]);
    expect(await deducted()).toBe(KEYS.length);
  });

  it('is used again if it is promoted after it was seen read-only', async () => {
    await setReadOnly(pair.replica, true);
    await setReadOnly(pair.primary, false);
    await until(async () => (await withdraw(running, 'on-the-first-host')) === 200, FAILED_OVER);
    const stored = 'SELECT COUNT(*) AS n FROM withdraw WHERE idempotency_key = ?';
    const primary = `${pair.primary.rootUrl}/gatehouse`;
    expect(await query(primary, stored, ['on-the-first-host'])).toEqual([{ n: 1 }]);
  });

  it('is not used by any instance while its replica, which also accepts writes, is frozen', async () => {
    const primaries = async (count: number) =>
      (await new Client(running.url).get('/api/metrics')).text.includes(
        `gatehouse_database_primaries ${count}\n`,
      );
    const before = await deducted();
    await setReadOnly(pair.replica, false);
    await until(() => primaries(2));
    pair.replica.pause();
    try {
      await until(() => primaries(1));
      expect(await withdraw(running, 'on-the-old-primary')).toBe(503);
      expect(await deducted()).toBe(before);
    } finally {
      pair.replica.resume();
    }
  });
});
