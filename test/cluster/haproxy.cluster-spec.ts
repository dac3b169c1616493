import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { Crowd, startFleet } from '../support/servers/cluster-fleet.js';
import { type GaleraNode, isolate, startGalera } from '../support/servers/galera.js';
import { query } from '../support/servers/mariadb.js';
import type { Gatehouse } from '../support/servers/gatehouse-process.js';
import { type HaProxy, startHaProxy } from '../support/servers/haproxy.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { until } from '../support/until.js';

let cluster: Awaited<ReturnType<typeof startGalera>>;
let nodes: GaleraNode[];
let proxy: HaProxy;
let instances: Gatehouse[];
let clients: Client[];
/** The URL leads to the database through HAProxy. */
let url: string;

beforeAll(async () => {
  cluster = await startGalera();
  nodes = cluster.nodes;
  await query(nodes[0]!.rootUrl, 'CREATE DATABASE gatehouse');
  proxy = await startHaProxy(nodes);
  const through = new URL(`${nodes[0]!.rootUrl}/gatehouse`);
  through.port = String(proxy.port);
  url = through.href;
});
afterAll(async () => {
  await Promise.all((instances ?? []).map((instance) => instance.stop()));
  await proxy?.stop();
  await cluster?.stop();
});

const nodeInUse = async () => (await query(url, 'SELECT @@wsrep_node_name AS name'))[0]?.name;
const isReady = async (client: Client) => (await client.get('/api/health/ready')).status === 200;

describe('config/cluster/haproxy.cfg in front of three Galera nodes', () => {
  it("accepts no connection before its user can query a node's state", async () => {
    expect(await proxy.isHealthy()).toBe(false);
    const user = readFileSync('config/cluster/haproxy-user.sql', 'utf8');
    await query(nodes[0]!.rootUrl, user.replaceAll(/^--.*$/gm, ''));
    await until(() => proxy.isHealthy());
    instances = await startFleet([url, url], { SETTINGS_FILE: writeSettingsFile() });
    clients = instances.map((instance) => new Client(instance.url));
    await query(
      url,
      `INSERT INTO server (id, name, address, port) VALUES (1, 'z', 'a.example', 1)`,
    );
    expect(await nodeInUse()).toMatch(/^node\d$/);
  });

  it.each([
    [
      'loses quorum',
      {
        lose: (node: GaleraNode) => isolate(node, 1),
        bringBack: (node: GaleraNode) => isolate(node, 0),
      },
    ],
    [
      'is killed',
      {
        lose: (node: GaleraNode) => node.kill(),
        bringBack: (node: GaleraNode) => node.restart(),
      },
    ],
  ])(
    'switches to the next node without a 500 or a lost write if one %s',
    async (_, { lose, bringBack }) => {
      // HAProxy keeps using the node that passed its checks first.
      const from = Number(String(await nodeInUse()).slice('node'.length));
      const staying = () => `${nodes[(from + 1) % 3]!.rootUrl}/gatehouse`;
      const crowds = await Promise.all(clients.map((client) => Crowd.at(client, staying, 1)));
      for (const crowd of crowds) crowd.start(3);
      await until(() => crowds.every(({ linked }) => linked.length > 10));
      await lose(nodes[from]!);
      const refused = ({ statuses }: Crowd) => statuses.some(({ status }) => status === 503);
      await until(() => crowds.every(refused));
      const linked = crowds.map((crowd) => crowd.linked.length);
      await until(() => crowds.every((crowd, at) => crowd.linked.length > linked[at]! + 10));
      const next = await nodeInUse();
      expect(next).not.toBe(`node${from}`);

      await bringBack(nodes[from]!);
      await until(() => takesWrites(nodes[from]!), { within: 60_000 });
      await Promise.all(crowds.map((crowd) => crowd.stop()));
      expect(crowds.flatMap(({ unexpected }) => unexpected)).toEqual([]);
      for (const crowd of crowds)
        expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
      expect(await nodeInUse()).toBe(next);
      for (const client of clients) await until(() => isReady(client));
    },
  );
});

async function takesWrites(node: GaleraNode): Promise<boolean> {
  const [row] = await query(node.rootUrl, "SHOW STATUS LIKE 'wsrep_ready'");
  return row?.Value === 'ON';
}
