import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { SECRETS } from '../support/accounts.js';
import { createCertificates } from '../support/servers/certificates.js';
import { spawnGatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { type MariaDb, query, startMariaDb } from '../support/servers/mariadb.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const CREDENTIALS = 'app:a%2Fp%25p';

const isReady = async (client: Client) => (await client.get('/api/health/ready')).status === 200;

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
    await query(server.rootUrl, 'CREATE DATABASE gatehouse');
    await query(server.rootUrl, "CREATE USER 'app'@'127.0.0.1' IDENTIFIED BY 'a/p%p' REQUIRE SSL");
    await query(server.rootUrl, "GRANT ALL ON gatehouse.* TO 'app'@'127.0.0.1'");
  });
  afterAll(async () => {
    await server?.stop();
    removeFolder(folder);
  });

  it.each([
    ['that is verified by host name', () => urlWith(`ssl-ca=${files.ca}`)],
    [
      'that is verified by authority alone, for an IP address',
      () => urlWith(`ssl-mode=VERIFY_CA&ssl-ca=${files.ca}`, '127.0.0.1'),
    ],
    [
      'that is not verified if ssl-mode is REQUIRED',
      () => urlWith('ssl-mode=REQUIRED', '127.0.0.1'),
    ],
  ])('is used with a certificate %s', async (_, url) => {
    const instance = await startGatehouse({ ...SECRETS, DATABASE_URL: url() });
    expect(await isReady(new Client(instance.url))).toBe(true);
    await instance.stop();
  });

  it('is rejected by default if the certificate was issued by an unknown authority', async () => {
    const instance = await spawnGatehouse({
      ...SECRETS,
      DATABASE_URL: urlWith('ssl-mode=VERIFY_IDENTITY'),
    });
    await instance.process.waitForLine(
      /cannot use the account database yet.*(self-signed|certificate)/,
    );
    await instance.process.waitForLine(/listening on/);
    expect(await isReady(new Client(instance.url))).toBe(false);
    await instance.stop();
  });

  it('is not used without ssl parameters, and fails for an unknown parameter', async () => {
    const url = urlWith('ssl=true');
    const unknown = await spawnGatehouse({ ...SECRETS, DATABASE_URL: url });
    expect(await unknown.process.exit).toBe(1);
    expect(unknown.logs()).toMatch(/DATABASE_URL has an unknown parameter: ssl/);
    await unknown.kill();
    const plain = await spawnGatehouse({ ...SECRETS, DATABASE_URL: url.replace('?ssl=true', '') });
    await plain.process.waitForLine(/cannot use the account database yet.*Access denied/);
    await plain.stop();
  });
});
