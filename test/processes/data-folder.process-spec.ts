import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

describe('DATA_DIR', () => {
  it('is inaccessible to other users, and so are the files in it', async () => {
    const folder = temporaryFolder('private');
    chmodSync(folder, 0o755);
    const service = await startGatehouse({ DATA_DIR: folder });
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(modeOf(folder)).toBe('700');
    for (const name of ['gatehouse.sqlite', 'secrets.json'])
      expect(modeOf(join(folder, name)), name).toBe('600');
    expect(await service.stop()).toBe(0);
    removeFolder(folder);
  });
});

describe('An empty DATA_DIR', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder('migrations');
    writeFileSync(join(folder, 'refused.yaml'), 'deny_ipp: []');
  });
  afterAll(() => removeFolder(folder));

  const run = (settings: string, ...args: string[]) =>
    new ManagedProcess('node', [inProject('dist/gatehouse.js'), ...args], {
      env: { DATA_DIR: folder, SETTINGS_FILE: join(folder, settings) },
    });

  it('is migrated once by two processes that start together, even without a settings file', async () => {
    const all = Array.from({ length: 2 }, () => run('there-is-none.yaml', 'migrate'));
    expect(await Promise.all(all.map(({ exit }) => exit))).toEqual([0, 0]);
    expect(all.filter(({ output }) => output.includes('migrated:'))).toHaveLength(1);
  });

  it('allows listing and settling withdrawals, but not reconciling, while the settings file is invalid', async () => {
    const database = new Libsql(join(folder, 'gatehouse.sqlite'));
    const at = '2026-11-15 12:00:00.000';
    database.exec("INSERT INTO player (account, password) VALUES ('somebody', 'x')");
    database.exec(
      `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status,
          order_no, created_at, sent_at)
        SELECT id, 1, 1, 7, 'hero', 100, 'unknown', 'W1', '${at}', '${at}' FROM player`,
    );
    const why = ['--by', 'anna', '--note', 'in the log of the server', '--yes'];
    const [list, reconcile, settle] = [
      run('refused.yaml', 'withdrawal', 'list', '--account', 'nobody'),
      run('refused.yaml', 'withdrawal', 'reconcile'),
      run('refused.yaml', 'withdrawal', 'settle', 'W1', 'succeeded', ...why),
    ];
    expect([await list.exit, await reconcile.exit, await settle.exit]).toEqual([0, 1, 0]);
    for (const { output } of [list, settle])
      expect(output).toContain('deny_ipp is not a known setting');
    expect(list.output).toContain('There are none.');
    expect(reconcile.output).toContain('correct the settings file first');
    const { status } = database.prepare('SELECT status FROM withdraw').get() as { status: string };
    expect(status).toBe('succeeded');
    database.close();
  });
});
