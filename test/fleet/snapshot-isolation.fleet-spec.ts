import { afterAll, beforeAll, expect, it } from 'vitest';
import { unique } from '../support/accounts.js';
import { Client } from '../support/api/client.js';
import { insertPlayer, startFleet, countByStatus } from '../support/servers/cluster-fleet.js';
import type { Gatehouse } from '../support/servers/gatehouse-process.js';
import { type MariaDb, query, startMariaDb } from '../support/servers/mariadb.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';

// The service lets only this many requests write to one player in parallel.
const AT_ONCE = 3;
const ROUNDS = 10;

let server: MariaDb;
let url: string;
let instance: Gatehouse;
let client: Client;

// Snapshot isolation has been the default since MariaDB 11.6.2. It rejects with ER_CHECKREAD (1020) a write
// to a row that has changed since the snapshot.
beforeAll(async () => {
  server = await startMariaDb({ args: ['--innodb-snapshot-isolation=ON'] });
  await query(server.rootUrl, 'CREATE DATABASE gatehouse');
  url = `${server.rootUrl}/gatehouse`;
  [instance] = (await startFleet([url], { SETTINGS_FILE: writeSettingsFile() })) as [Gatehouse];
  client = new Client(instance.url);
});
afterAll(async () => {
  await instance?.stop();
  await server?.stop();
});

it('innodb_snapshot_isolation causes no error if one identity is linked many times in parallel', async () => {
  const { account, id } = await insertPlayer(url);
  for (let round = 0; round < ROUNDS; round++) {
    const link = { account, connect_id: unique('id'), provider: unique('by') };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => client.post('/api/bind_account', link)),
    );
    expect(countByStatus(answers)).toEqual({ 200: AT_ONCE });
  }
  const [row] = await query(
    url,
    'SELECT COUNT(*) AS n FROM player_connect_threeparty WHERE player_id = ?',
    [id],
  );
  expect(row!.n).toBe(ROUNDS);
});
