import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { startGatehouse } from '../support/servers/gatehouse-process.js';
import { registerInSandbox, setGameServerFault } from '../support/servers/sandbox-player.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

describe('kill -9 while a withdrawal waits for the game server', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder('recovery');
  });
  afterAll(() => removeFolder(folder));

  it('leaves the withdrawal in sending, and the next startup marks it as unknown', async () => {
    // The timeout is so long that the service is killed while it still waits.
    const SETTINGS_FILE = writeSettingsFile({ withdraw: { gm_timeout: 10 } });
    const victim = await startGatehouse({ DATA_DIR: folder, SETTINGS_FILE });
    const client = new Client(victim.url);
    const token = await registerInSandbox(client, 'unlucky');
    const { roles } = (await client.get('/api/game/roles?server_id=1', { token })).body.data;
    const order = { server_id: 1, role_id: roles[0].role_id, amount: 700 };
    await setGameServerFault(client, 'hang_after');
    const headers = { 'Idempotency-Key': 'once' };
    const answer = client.post('/api/game/withdraw', order, { token, headers }).catch(() => 'none');
    await until(async () =>
      /<td>700<\/td><td>1<\/td>/.test((await client.get('/sandbox/gm')).text),
    );
    await victim.kill();
    expect(await answer).toBe('none');

    const database = new Libsql(join(folder, 'gatehouse.sqlite'));
    const row = () => database.prepare('SELECT status FROM withdraw').all();
    expect(row()).toEqual([{ status: 'sending' }]);
    // The row must be older than 30 s, because until then its process could still record the outcome.
    database.exec(
      "UPDATE withdraw SET created_at = '2026-01-01 00:00:00.000', sent_at = '2026-01-01 00:00:00.000'",
    );

    const next = await startGatehouse({ DATA_DIR: folder });
    await until(() => (row()[0] as { status: string }).status === 'unknown');
    database.close();
    const again = new Client(next.url);
    await setGameServerFault(again, 'none');
    const repeated = await again.post('/api/game/withdraw', order, { token, headers });
    expect(repeated.status).toBe(202);
    expect(repeated.body.data.status).toBe('unknown');
    const other = await again.post('/api/game/withdraw', order, { token });
    expect(other.body.error).toBe('withdrawal_open');
    const after = await again.get('/api/game/roles?server_id=1', { token });
    expect(after.body.data.roles[0].balance).toBe(roles[0].balance - 700);
    expect(await next.stop()).toBe(0);
  });
});
