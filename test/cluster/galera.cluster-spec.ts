import { randomUUID } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import {
  Crowd,
  insertPlayer,
  logIn,
  startFleet,
  countByStatus,
} from '../support/servers/cluster-fleet.js';
import { PASSWORD, SECRETS, unique } from '../support/accounts.js';
import { type GaleraNode, isolate, startGalera } from '../support/servers/galera.js';
import { query } from '../support/servers/mariadb.js';
import { FakeGameServer } from '../support/api/game-server.js';
import { GameWorld } from '../support/api/game-world.js';
import { allAtOnce, inParallel } from '../support/api/parallel.js';
import type { Gatehouse } from '../support/servers/gatehouse-process.js';
import { MailServer } from '../support/servers/smtp.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { until } from '../support/until.js';

const ROLES = 12;
const ROUNDS = 8;
const DAILY_MAX = 500;
const AMOUNT = 100;

let cluster: Awaited<ReturnType<typeof startGalera>>;
let nodes: GaleraNode[];
let urls: string[];
let world: GameWorld;
let game: FakeGameServer;
let mail: MailServer;
let instances: Gatehouse[];
let clients: Client[];
const server = 1;

beforeAll(async () => {
  cluster = await startGalera();
  nodes = cluster.nodes;
  await query(nodes[0]!.rootUrl, 'CREATE DATABASE gatehouse');
  urls = nodes.map(({ rootUrl }) => `${rootUrl}/gatehouse`);
  world = await GameWorld.start();
  game = await FakeGameServer.start(world, SECRETS.GM_SECRET);
  mail = await MailServer.start();
  await world.addServer(server);
  const withdraw = { gm_timeout: 10, min: 1, max: 1000, daily_max: DAILY_MAX };
  const SETTINGS_FILE = writeSettingsFile({
    withdraw,
    verify: { per_address_hour: 1000 },
    registration: { per_address_day: null },
  });
  const env = { GAME_DATABASE_URL: world.urlAt(), SMTP_URL: mail.url, SETTINGS_FILE };
  instances = await startFleet(urls, env);
  clients = instances.map(({ url }) => new Client(url));
  await query(
    urls[0]!,
    `INSERT INTO server (id, name, address, port, gm_port) VALUES (?, 'z', '127.0.0.1', 7000, ?)`,
    [server, game.port],
  );
});
afterAll(async () => {
  await Promise.all((instances ?? []).map((instance) => instance.stop()));
  await game?.stop();
  await mail?.stop();
  await world?.stop();
  await cluster?.stop();
});

const isReady = async (client: Client) => (await client.get('/api/health/ready')).status === 200;

describe('Three instances, each on its own Galera node,', () => {
  it('migrate an empty schema once even if they start in parallel', async () => {
    const migrated = () => instances.filter(({ logs }) => logs().includes('migrated:'));
    await until(() => migrated().length > 0);
    expect(migrated()).toHaveLength(1);
  });

  it("enforce a player's daily limit when roles withdraw at all instances in parallel", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const player = await insertPlayer(urls[0]!);
      const roles: number[] = [];
      for (let role = 0; role < ROLES; role++)
        roles.push(await world.createRole(server, { account: player.account }));
      const token = await logIn(clients[round % 3]!, player.account);
      const answers = await allAtOnce(
        roles.map((role_id, place) => () => {
          const body = { server_id: server, role_id, amount: AMOUNT };
          const headers = { 'Idempotency-Key': randomUUID() };
          return clients[place % 3]!.post('/api/game/withdraw', body, { token, headers });
        }),
      );
      const granted = answers.filter(({ status }) => status === 200);
      const errors = new Set(answers.map(({ body }) => body.error as string | undefined));
      expect(errors).toEqual(new Set([undefined, 'amount_out_of_range']));
      expect(granted).toHaveLength(DAILY_MAX / AMOUNT);
    }
  });

  it('count all 90 parallel entries of one player', async () => {
    const player = await insertPlayer(urls[1]!);
    const token = await logIn(clients[2]!, player.account);
    const enter = (client: Client) =>
      client.post('/api/enter_game', { server_id: server }, { token });
    const answers = await inParallel((place) => enter(clients[place % 3]!), 90);
    expect(countByStatus(answers)).toEqual({ 200: 90 });
    const sql = 'SELECT enter_count AS n FROM player WHERE id = ?';
    expect(await query(urls[0]!, sql, [player.id])).toEqual([{ n: 90 }]);
  });

  it("recognise another instance's new account and revoked token immediately", async () => {
    for (let round = 0; round < 10; round++) {
      const [here, there] = [clients[round % 3]!, clients[(round + 1) % 3]!];
      const [account, email] = [unique('n').slice(0, 20), `${unique('m')}@mail.example`];
      expect((await here.post('/api/send_code', { email })).status).toBe(200);
      const form = { account, email, password: PASSWORD, server_id: server };
      const code = await mail.codeFor(email);
      const registered = await here.post('/api/register', { ...form, code });
      expect(registered.body.error).toBeUndefined();
      const token = await logIn(there, account);
      // SQL revokes the token at another node, so the test depends only on the replication of `ver`.
      const ended = await query(
        urls[round % 3]!,
        'UPDATE player SET ver = ver + 1 WHERE account = ?',
        [account],
      );
      expect(ended).toMatchObject({ affectedRows: 1 });
      const after = await there.get('/api/bind', { token });
      expect(after.body.error).toBe('unauthorized');
    }
  });
});

// Stored rows are checked at node 0, which stays up.
const crowdAt = (place: number) => Crowd.at(clients[place]!, () => urls[0]!, server);

describe('A Galera node', () => {
  it('without quorum makes its instance return 503, and no confirmed write is lost', async () => {
    const crowd = (await crowdAt(2)).start(8);
    await until(() => crowd.linked.length > 20 && crowd.reported.length > 20);
    await isolate(nodes[2]!, 1);
    await until(async () => !(await isReady(clients[2]!)));
    const before = crowd.statuses.length;
    await until(() => crowd.statuses.length > before + 50);
    expect(countByStatus(crowd.statuses.slice(before + 20))).toEqual({ 503: expect.any(Number) });
    await isolate(nodes[2]!, 0);
    await until(async () => {
      const [row] = await query(nodes[2]!.rootUrl, "SHOW STATUS LIKE 'wsrep_ready'");
      return row?.Value === 'ON';
    });
    await until(() => isReady(clients[2]!));
    const linked = crowd.linked.length;
    await until(() => crowd.linked.length > linked + 20);
    await crowd.stop();
    expect(crowd.unexpected).toEqual([]);
    expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
  });

  it('that is killed under load and returns causes no 500 and no lost write', async () => {
    const crowds = [await crowdAt(0), await crowdAt(1), await crowdAt(2)];
    for (const crowd of crowds) crowd.start(3);
    await until(() => crowds.every(({ linked }) => linked.length > 10));
    await nodes[1]!.kill();
    await until(async () => !(await isReady(clients[1]!)));
    const done = [0, 2].map((place) => crowds[place]!.linked.length);
    await until(() => [0, 2].every((place, at) => crowds[place]!.linked.length > done[at]! + 5));
    await nodes[1]!.restart();
    await until(() => isReady(clients[1]!));
    const linked = crowds[1]!.linked.length;
    await until(() => crowds[1]!.linked.length > linked + 5);
    for (const crowd of crowds) {
      await crowd.stop();
      expect(crowd.unexpected).toEqual([]);
      expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
    }
  });

  it('that serves a state transfer makes its instance move to another node', async () => {
    const hosts = [1, 0, 2].map((place) => `127.0.0.1:${nodes[place]!.port}`).join();
    const several = urls[1]!.replace(/127\.0\.0\.1:\d+/, hosts);
    const [instance] = await startFleet([several], { SETTINGS_FILE: writeSettingsFile() });
    // An rsync state transfer locks its donor in the same way.
    const transfer = await createConnection(nodes[1]!.rootUrl);
    try {
      const client = new Client(instance!.url);
      const report = () => client.post('/api/report/chat', { server_id: server, content: 'x' });
      expect((await report()).status).toBe(200);
      await transfer.query('FLUSH TABLES WITH READ LOCK');
      await until(async () => (await report()).status === 200);
      await until(() => isReady(client));
    } finally {
      transfer.destroy();
      await instance!.stop();
    }
  });
});
