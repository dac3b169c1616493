import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

describe('DATA_DIR', () => {
  it('is closed to other users, together with what an earlier version left open in it', async () => {
    const folder = temporaryFolder('private');
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'gatehouse.sqlite'), '', { mode: 0o644 });
    writeFileSync(join(folder, 'notes.txt'), 'not ours', { mode: 0o644 });
    const sandbox = join(folder, 'sandbox');
    mkdirSync(sandbox, { mode: 0o755 });
    for (const name of ['sandbox.sqlite', 'mir_actor_s99.sqlite'])
      writeFileSync(join(sandbox, name), '', { mode: 0o644 });
    const service = await startGatehouse({ DATA_DIR: folder });
    const modes = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      // A journal of SQLite may be gone by now.
      const found = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
      const mode = found && (found.mode & 0o777).toString(8);
      return mode === undefined ? [] : [[entry.name, mode, entry.isDirectory()] as const];
    });
    expect(modes.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'gatehouse.sqlite',
        'secrets.json',
        'sandbox',
        'sandbox.sqlite',
        'mir_actor_s99.sqlite',
      ]),
    );
    for (const [name, mode, isFolder] of modes)
      if (name !== 'notes.txt') expect(mode, name).toBe(isFolder ? '700' : '600');
      else expect(mode).toBe('644');
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
    expect(await service.stop()).toBe(0);
    removeFolder(folder);
  });
});

describe('an empty DATA_DIR', () => {
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

  it('lets withdrawals be listed and settled, but not reconciled, while the settings file is refused', async () => {
    const database = new Libsql(join(folder, 'gatehouse.sqlite'));
    const at = '2026-11-15 12:00:00.000';
    database.exec("INSERT INTO player (account, password) VALUES ('somebody', 'x')");
    database.exec(
      `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status,
          order_no, created_at, sent_at)
        SELECT id, 1, 1, 7, 'hero', 100, 'unknown', 'W1', '${at}', '${at}' FROM player`,
    );
    const why = ['--by', 'anna', '--note', 'in the log of the server'];
    const [list, reconcile, settle] = [
      run('refused.yaml', 'withdrawal', 'list', '--account', 'nobody'),
      run('refused.yaml', 'withdrawal', 'reconcile'),
      run('refused.yaml', 'withdrawal', 'settle', 'W1', 'succeeded', ...why),
    ];
    expect([await list.exit, await reconcile.exit, await settle.exit]).toEqual([0, 1, 0]);
    for (const { output } of [list, settle])
      expect(output).toContain('deny_ipp is not a known setting');
    expect(list.output).toContain('There are none.');
    expect(reconcile.output).toContain('mend the settings first');
    const { status } = database.prepare('SELECT status FROM withdraw').get() as { status: string };
    expect(status).toBe('succeeded');
    database.close();
  });
});
