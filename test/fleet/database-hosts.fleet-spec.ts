import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificates } from '../support/servers/certificates.js';
import { Client } from '../support/api/client.js';
import { Crowd, crowdSettings, startFleet } from '../support/servers/cluster-fleet.js';
import { SECRETS } from '../support/api/deployment.js';
import { query } from '../support/servers/galera.js';
import {
  type Gatehouse,
  spawnGatehouse,
  startGatehouse,
} from '../support/servers/gatehouse-process.js';
import { type MariaDb, startMariaDb } from '../support/servers/mariadb.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

const isReady = async (client: Client) => (await client.get('/api/health/ready')).status === 200;

/** An ordinary user, whom `read_only` holds; root may always write. */
async function createUser({ rootUrl }: MariaDb, more = ''): Promise<void> {
  await query(rootUrl, 'CREATE DATABASE gatehouse');
  await query(rootUrl, `CREATE USER 'app'@'127.0.0.1' IDENTIFIED BY 'a/p%p' ${more}`);
  await query(rootUrl, "GRANT ALL ON gatehouse.* TO 'app'@'127.0.0.1'");
}

const CREDENTIALS = 'app:a%2Fp%25p';

describe('two database hosts', () => {
  let servers: [MariaDb, MariaDb];
  let instance: Gatehouse;
  let client: Client;
  const setReadOnly = (place: 0 | 1, on: boolean) =>
    query(servers[place].rootUrl, `SET GLOBAL read_only = ${on ? 1 : 0}`);
  const rootUrl = (place: 0 | 1) => `${servers[place].rootUrl}/gatehouse`;

  beforeAll(async () => {
    // A mode in which a backslash escapes nothing: the service sets its own.
    const args = ['--sql-mode=NO_BACKSLASH_ESCAPES'];
    servers = await Promise.all([startMariaDb({ args }), startMariaDb({ args })]);
    await Promise.all(servers.map((server) => createUser(server)));
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
    const SETTINGS_FILE = crowdSettings();
    // Both get the schema: what a replica has by replication is not what is tested here.
    const second = `mysql://${CREDENTIALS}@${hosts[1]}/gatehouse`;
    const other = await startGatehouse({ ...SECRETS, DATABASE_URL: second });
    await other.stop();
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

  const primaries = async () =>
    /^gatehouse_database_primaries (\d)$/m.exec((await client.get('/api/metrics')).text)?.[1];

  it('that both take writes, each for itself, are told of: an old primary may have come back', async () => {
    const [first, second] = servers.map(({ port }) => `127.0.0.1:${port}`);
    expect(instance.logs()).toContain(`${first} and ${second} take writes, each for itself`);
    expect(await primaries()).toBe('2');
  });

  it('take every word as it is, whatever sql_mode the server has', async () => {
    const content = `it's a \\' OR 1 = 1 -- \\`;
    expect((await client.post('/api/report/chat', { server_id: 1, content })).status).toBe(200);
    const stored = await query(rootUrl(0), 'SELECT content FROM chat ORDER BY id DESC LIMIT 1');
    expect(stored).toEqual([{ content }]);
    const login = { account: `\\' OR 1 = 1 -- `, password: 'x' };
    expect((await client.post('/api/login', login)).body.error).toBe('bad_credentials');
  });

  it('where no one takes writes: 503 and never 500 on writes, not ready, and reads go on', async () => {
    const crowd = (await Crowd.at(client, () => rootUrl(0), 1)).start(2);
    try {
      await until(() => crowd.linked.length > 5 && crowd.entered > 5);
      await Promise.all([setReadOnly(0, true), setReadOnly(1, true)]);
      const before = crowd.statuses.length;
      await until(async () => !(await isReady(client)), { within: 5000 });
      await until(
        () => crowd.statuses.slice(before).filter(({ status }) => status === 503).length > 20,
      );
      expect((await client.get('/api/server/list')).status).toBe(200);
      await Promise.all([setReadOnly(0, false), setReadOnly(1, false)]);
      const back = performance.now();
      const [linked, entered] = [crowd.linked.length, crowd.entered];
      await until(() => crowd.linked.length > linked + 5 && crowd.entered > entered + 5);
      const ms = performance.now() - back;
      console.log(`writes again ${(ms / 1000).toFixed(1)} s after read_only was taken back`);
      expect(ms).toBeLessThan(10_000);
    } finally {
      await crowd.stop();
    }
    expect(crowd.unexpected).toEqual([]);
    expect(await crowd.lost()).toEqual({ links: [], reports: [], entries: 0 });
    await until(() => isReady(client));
  });

  it('when the first is demoted, or killed, the other is used within 10 s, with no restart', async () => {
    const entered = async (place: 0 | 1) =>
      Number((await query(rootUrl(place), 'SELECT COUNT(*) AS n FROM chat'))[0]!.n);
    const report = () => client.post('/api/report/chat', { server_id: 1, content: 'x' });
    const moves = async (to: 0 | 1) => {
      const [before, began] = [await entered(to), performance.now()];
      const reports: Array<ReturnType<typeof report>> = [];
      // One does not wait for the last, which may wait for seconds at the old host.
      const another = async () => {
        reports.push(report());
        return (await entered(to)) > before;
      };
      await until(another, { every: 250 });
      const ms = performance.now() - began;
      for (const { status } of await Promise.all(reports)) expect([200, 503]).toContain(status);
      return ms / 1000;
    };
    await setReadOnly(0, true);
    const demoted = await moves(1);
    expect(await primaries()).toBe('1');
    await instance.process.waitForLine(/no more than one database host takes writes/);
    await setReadOnly(0, false);
    await servers[1].kill();
    const killed = await moves(0);
    await servers[1].restart();
    console.log(
      `used the next ${demoted.toFixed(1)} s after demotion, ${killed.toFixed(1)} s after a kill`,
    );
    expect(Math.max(demoted, killed)).toBeLessThan(10);
    servers[0].pause();
    const frozen = await moves(1).finally(() => servers[0].resume());
    console.log(`used the next ${frozen.toFixed(1)} s after a freeze`);
    expect(frozen).toBeLessThan(10);
  });
});

describe('TLS to the database', () => {
  let server: MariaDb;
  let folder: string;
  let files: ReturnType<typeof createCertificates>;
  const urlWith = (query_: string, host = 'localhost') =>
    `mysql://${CREDENTIALS}@${host}:${server.port}/gatehouse?${query_}`;

  beforeAll(async () => {
    folder = temporaryFolder('tls');
    files = createCertificates(folder);
    const args = [`--ssl-ca=${files.ca}`, `--ssl-cert=${files.cert}`, `--ssl-key=${files.key}`];
    server = await startMariaDb({ args });
    await createUser(server, 'REQUIRE SSL');
  });
  afterAll(async () => {
    await server?.stop();
    removeFolder(folder);
  });

  it.each([
    ['verified by name', () => urlWith(`ssl-ca=${files.ca}`)],
    [
      'verified by authority, at an address',
      () => urlWith(`ssl-mode=VERIFY_CA&ssl-ca=${files.ca}`, '127.0.0.1'),
    ],
    ['not verified, where that is asked for', () => urlWith('ssl-mode=REQUIRED', '127.0.0.1')],
  ])('is used: %s', async (_, url) => {
    const instance = await startGatehouse({ ...SECRETS, DATABASE_URL: url() });
    expect(await isReady(new Client(instance.url))).toBe(true);
    await instance.stop();
  });

  it('is refused where the authority is another: verified unless it is said otherwise', async () => {
    const instance = await spawnGatehouse({
      ...SECRETS,
      DATABASE_URL: urlWith('ssl-mode=VERIFY_IDENTITY'),
    });
    await instance.process.waitForLine(/not there.*(self-signed|certificate)/);
    await instance.process.waitForLine(/listening on/);
    expect(await isReady(new Client(instance.url))).toBe(false);
    await instance.stop();
  });

  it('is not spoken where it was not asked for, nor by a parameter that nobody knows', async () => {
    const url = urlWith('ssl=true');
    const unknown = await spawnGatehouse({ ...SECRETS, DATABASE_URL: url });
    expect(await unknown.process.exit).toBe(1);
    expect(unknown.logs()).toMatch(/DATABASE_URL has the unknown parameter ssl/);
    await unknown.kill();
    const plain = await spawnGatehouse({ ...SECRETS, DATABASE_URL: url.replace('?ssl=true', '') });
    await plain.process.waitForLine(/not there.*Access denied/);
    await plain.stop();
  });
});
