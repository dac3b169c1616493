import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { Crowd, startFleet } from '../support/servers/cluster-fleet.js';
import { SECRETS } from '../support/accounts.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { type MariaDb, query, startMariaDb } from '../support/servers/mariadb.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { until } from '../support/until.js';

const isReady = async (client: Client) => (await client.get('/api/health/ready')).status === 200;

/** Creates an ordinary user, because `read_only` does not restrict root. */
async function createUser({ rootUrl }: MariaDb): Promise<void> {
  await query(rootUrl, 'CREATE DATABASE gatehouse');
  await query(rootUrl, "CREATE USER 'app'@'127.0.0.1' IDENTIFIED BY 'a/p%p'");
  await query(rootUrl, "GRANT ALL ON gatehouse.* TO 'app'@'127.0.0.1'");
}

const CREDENTIALS = 'app:a%2Fp%25p';

describe('Two database hosts', () => {
  let servers: [MariaDb, MariaDb];
  let instance: Gatehouse;
  let client: Client;
  const setReadOnly = (place: 0 | 1, on: boolean) =>
    query(servers[place].rootUrl, `SET GLOBAL read_only = ${on ? 1 : 0}`);
  /** Waits for the second check because the first one may already be running. */
  const untilSeenReadOnly = (place: 0 | 1) =>
    until(async () => {
      const checks = "SHOW GLOBAL STATUS LIKE 'Com_show_variables'";
      return Number((await query(servers[place].rootUrl, checks))[0]!.Value) > 1;
    });
  const rootUrl = (place: 0 | 1) => `${servers[place].rootUrl}/gatehouse`;

  beforeAll(async () => {
    // A backslash escapes nothing in this mode, so the service sets its own mode.
    const args = ['--sql-mode=NO_BACKSLASH_ESCAPES', '--read-only'];
    servers = await Promise.all([startMariaDb({ args }), startMariaDb({ args })]);
    await Promise.all(servers.map((server) => createUser(server)));
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
    const SETTINGS_FILE = writeSettingsFile();
    // Both hosts get the schema because this test runs without replication.
    const second = `mysql://${CREDENTIALS}@${hosts[1]}/gatehouse`;
    await setReadOnly(1, false);
    const other = await startGatehouse({ ...SECRETS, DATABASE_URL: second });
    await other.stop();
    await setReadOnly(1, true);
    await setReadOnly(0, false);
    const several = `mysql://${CREDENTIALS}@${hosts.join()}/gatehouse`;
    [instance] = (await startFleet([several], { SETTINGS_FILE })) as [Gatehouse];
    client = new Client(instance.url);
    const server =
      "INSERT INTO server (id, name, address, port) VALUES (1, 'z', '127.0.0.1', 7000)";
    for (const place of [0, 1] as const) await query(rootUrl(place), server);
  });
  afterAll(async () => {
    await instance?.stop();
    await Promise.all((servers ?? []).map((server) => server.stop()));
  });

  it("store text unchanged, regardless of the server's sql_mode", async () => {
    const content = `it's a \\' OR 1 = 1 -- \\`;
    expect((await client.post('/api/report/chat', { server_id: 1, content })).status).toBe(200);
    const stored = await query(rootUrl(0), 'SELECT content FROM chat ORDER BY id DESC LIMIT 1');
    expect(stored).toEqual([{ content }]);
    const login = { account: `\\' OR 1 = 1 -- `, password: 'x' };
    expect((await client.post('/api/login', login)).body.error).toBe('bad_credentials');
  });

  it('cause 503 instead of 500 while neither accepts writes, but still serve reads', async () => {
    const crowd = (await Crowd.at(client, () => rootUrl(0), 1)).start(2);
    try {
      await until(() => crowd.linked.length > 5 && crowd.entered > 5);
      await setReadOnly(0, true);
      const before = crowd.statuses.length;
      await until(async () => !(await isReady(client)), { within: 50_000 });
      await until(
        () => crowd.statuses.slice(before).filter(({ status }) => status === 503).length > 20,
      );
      await until(async () => (await client.get('/api/server/list')).status === 200);
      await setReadOnly(0, false);
      const [linked, entered] = [crowd.linked.length, crowd.entered];
      await until(() => crowd.linked.length > linked + 5 && crowd.entered > entered + 5);
    } finally {
      await crowd.stop();
    }
    expect(crowd.unexpected).toEqual([]);
    expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
    await until(() => isReady(client));
  });

  it('are switched without a restart if the host in use is demoted, killed or frozen', async () => {
    const entered = async (place: 0 | 1) =>
      Number((await query(rootUrl(place), 'SELECT COUNT(*) AS n FROM chat'))[0]!.n);
    const report = () => client.post('/api/report/chat', { server_id: 1, content: 'x' });
    /** Waits up to ten times the 10 s that docs/scaling.md promises. */
    const untilUsed = async (place: 0 | 1) => {
      const before = await entered(place);
      const reports: Array<ReturnType<typeof report>> = [];
      // Reports are sent without waiting because one may hang at the old host for seconds.
      const another = async () => {
        reports.push(report());
        return (await entered(place)) > before;
      };
      await until(another, { every: 250, within: 100_000 });
      for (const { status } of await Promise.all(reports)) expect([200, 503]).toContain(status);
    };
    await setReadOnly(0, true);
    await setReadOnly(1, false);
    await untilUsed(1);
    await servers[1].kill();
    await setReadOnly(0, false);
    await untilUsed(0);
    await servers[1].restart();
    await untilSeenReadOnly(1);
    servers[0].pause();
    await setReadOnly(1, false);
    await untilUsed(1).finally(() => servers[0].resume());
  });
});
