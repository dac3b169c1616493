import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { inParallel } from '../support/api/parallel.js';
import {
  Crowd,
  insertPlayer,
  logIn,
  startFleet,
  countByStatus,
} from '../support/servers/cluster-fleet.js';
import { SECRETS } from '../support/accounts.js';
import { query } from '../support/servers/mariadb.js';
import { type Gatehouse, spawnGatehouse } from '../support/servers/gatehouse-process.js';
import { type Group, startGroup } from '../support/servers/group-replication.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { until } from '../support/until.js';

const PASSWORD = 'of-the-group';
const server = 1;
// The group needs this long to expel a member.
const FOUND_OUT = { within: 60_000 };
let group: Group;
let severalHosts: string;
let instance: Gatehouse;
let client: Client;
let primary = 0;

const urlOf = (place: number) => `${group.members[place]!.rootUrl}/gatehouse`;
const isReady = async (asked: Client) => (await asked.get('/api/health/ready')).status === 200;

beforeAll(async () => {
  group = await startGroup(PASSWORD);
  await query(group.members[0]!.rootUrl, 'CREATE DATABASE gatehouse');
  // The primary is listed last, so the first host is read-only.
  const hosts = [1, 2, 0].map((place) => `127.0.0.1:${group.members[place]!.port}`).join();
  severalHosts = `mysql://root:${PASSWORD}@${hosts}/gatehouse`;
  [instance] = (await startFleet([severalHosts], { SETTINGS_FILE: writeSettingsFile() })) as [
    Gatehouse,
  ];
  client = new Client(instance.url);
  await query(
    urlOf(0),
    "INSERT INTO server (id, name, address, port) VALUES (1, 'z', '127.0.0.1', 7000)",
  );
});
afterAll(async () => {
  await instance?.stop();
  await group?.stop();
});

async function underLoad(fault: () => Promise<void>): Promise<Crowd> {
  primary = await group.primary();
  const crowd = (await Crowd.at(client, () => urlOf(primary), server)).start(3);
  try {
    await until(() => crowd.linked.length > 10 && crowd.reported.length > 10 && crowd.entered > 3);
    await fault();
    primary = await group.primary();
    const [linked, entered] = [crowd.linked.length, crowd.entered];
    await until(() => crowd.linked.length > linked + 10 && crowd.entered > entered + 3);
    return crowd;
  } finally {
    await crowd.stop();
  }
}

describe('MySQL group replication', () => {
  it('makes an instance that knows only a secondary report that it is not ready', async () => {
    const lonely = await spawnGatehouse({ ...SECRETS, DATABASE_URL: urlOf(1) });
    const asked = new Client(lonely.url);
    // On a busy machine the first connection attempt may precede the database's startup.
    await lonely.process.waitForLine(/listening on/);
    await lonely.process.waitForLine(/accepts no writes: (super_)?read_only is on/);
    expect(await isReady(asked)).toBe(false);
    // The instance keeps dropping its connections, so a request may fail.
    await until(async () => (await asked.get('/api/server/list')).status === 200);
    await lonely.stop();
  });

  it('is used through its primary, regardless of the order of hosts', async () => {
    await until(() => isReady(client));
  });

  it('can switch its primary with all connections open, without a 500 or a lost write', async () => {
    const crowd = await underLoad(() => group.switchTo(1));
    expect(crowd.unexpected).toEqual([]);
    expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
    await until(() => isReady(client));
  });

  it('counts parallel entries of one player at two of several primaries', async () => {
    await query(urlOf(0), 'SELECT group_replication_switch_to_multi_primary_mode()');
    const [checks] = await query(
      urlOf(0),
      'SELECT @@group_replication_enforce_update_everywhere_checks AS strict',
    );
    expect(checks).toEqual({ strict: 1 });
    const two = await startFleet([urlOf(0), urlOf(1)], { SETTINGS_FILE: writeSettingsFile() });
    const clients = two.map(({ url }) => new Client(url));
    const crowds = await Promise.all(clients.map((one) => Crowd.at(one, () => urlOf(0), server)));
    const player = await insertPlayer(urlOf(0));
    const token = await logIn(clients[1]!, player.account);
    const enter = (place: number) =>
      clients[place % 2]!.post('/api/enter_game', { server_id: server }, { token });
    for (const crowd of crowds) crowd.start(2);
    const answers = await inParallel(enter, 60);
    await until(() => crowds.every(({ linked, reported }) => linked.length + reported.length > 10));
    for (const crowd of crowds) await crowd.stop();
    await Promise.all(two.map((one) => one.stop()));
    expect(countByStatus(answers)).toEqual({ 200: 60 });
    const count = 'SELECT enter_count AS n FROM player WHERE id = ?';
    expect(await query(urlOf(0), count, [player.id])).toEqual([{ n: 60 }]);
    for (const crowd of crowds) {
      expect(crowd.unexpected).toEqual([]);
      expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
    }
    await query(urlOf(0), 'SELECT group_replication_switch_to_single_primary_mode()');
    // The check uses a login, which writes, because readiness may be a second old.
    await until(() =>
      logIn(client, player.account).then(
        () => true,
        () => false,
      ),
    );
  });

  it('can lose its primary without a 500 or a lost write', async () => {
    const killed = await group.primary();
    const crowd = await underLoad(async () => {
      await group.members[killed]!.kill();
      await until(async () => {
        const now = await group.primary();
        return now !== -1 && now !== killed;
      }, FOUND_OUT);
    });
    expect(crowd.unexpected).toEqual([]);
    expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
  });
});
