import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProject, spawnGatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
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

describe('A DATA_DIR of the previous version', () => {
  /** Migrates with a later version, which has a migration for each statement. */
  const later = (folder: string, ...statements: string[]) =>
    new ManagedProcess(
      'node',
      [
        inProject('test/support/migrations/migrate-later.mjs'),
        'Later4102444800000',
        JSON.stringify(statements.map((embedded) => ({ mysql: [], embedded }))),
      ],
      { env: { DATA_DIR: folder } },
    );
  const ADD = 'ALTER TABLE player ADD COLUMN nickname varchar(64)';

  async function folderWithPlayer(): Promise<string> {
    const folder = temporaryFolder('upgrade');
    const migration = new ManagedProcess('node', [inProject('dist/gatehouse.js'), 'migrate'], {
      env: { DATA_DIR: folder },
    });
    expect(await migration.exit).toBe(0);
    withDatabase(join(folder, 'gatehouse.sqlite'), (database) =>
      database.exec("INSERT INTO player (account, password) VALUES ('somebody', 'x')"),
    );
    return folder;
  }

  function withDatabase<T>(path: string, use: (database: Libsql.Database) => T): T {
    const database = new Libsql(path);
    try {
      return use(database);
    } finally {
      database.close();
    }
  }

  const columnsOf = (path: string) =>
    withDatabase(path, (database) =>
      database.prepare("SELECT name FROM pragma_table_info('player')").pluck().all(),
    );
  const copiesIn = (folder: string) => readdirSync(join(folder, 'backups')).toSorted();

  it('is copied before it is migrated, and only the owner can read the copy', async () => {
    const folder = await folderWithPlayer();
    expect(readdirSync(folder)).not.toContain('backups');
    const upgrade = later(folder, ADD);
    expect(await upgrade.exit).toBe(0);
    const [copy, ...others] = copiesIn(folder);
    expect(others).toEqual([]);
    expect(copy).toMatch(/^gatehouse-\d{8}T\d{6}\.\d{3}Z-before-\d+\.\d+\.\d+\.sqlite$/);
    const path = join(folder, 'backups', copy!);
    expect(upgrade.output).toContain(path);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(columnsOf(path)).not.toContain('nickname');
    const accounts = withDatabase(path, (database) =>
      database.prepare('SELECT account FROM player').pluck().all(),
    );
    expect(accounts).toEqual(['somebody']);
    expect(columnsOf(join(folder, 'gatehouse.sqlite'))).toContain('nickname');
    removeFolder(folder);
  });

  it('stays usable by that version after a failed migration, which leaves no backup behind', async () => {
    const folder = await folderWithPlayer();
    const upgrade = later(folder, ADD, 'ALTER TABLE player ADD COLUMN nickname integer');
    expect(await upgrade.exit).toBe(1);
    expect(upgrade.output).toMatch(/duplicate column name: nickname.*is as it was before/);
    expect(columnsOf(join(folder, 'gatehouse.sqlite'))).not.toContain('nickname');
    expect(copiesIn(folder)).toEqual([]);
    const service = await startGatehouse({ DATA_DIR: folder });
    expect(await service.stop()).toBe(0);
    removeFolder(folder);
  });

  it('stays as it is if it cannot be copied', async () => {
    const folder = await folderWithPlayer();
    writeFileSync(join(folder, 'backups'), 'not a folder');
    const upgrade = later(folder, ADD);
    expect(await upgrade.exit).toBe(1);
    expect(upgrade.output).toContain('cannot be copied');
    expect(columnsOf(join(folder, 'gatehouse.sqlite'))).not.toContain('nickname');
    removeFolder(folder);
  });

  it('keeps the newest five copies and other files, and logs what is deleted', async () => {
    const folder = await folderWithPlayer();
    const earlier = [1, 2, 3, 4, 5].map(
      (n) => `gatehouse-2026110${n}T120000.000Z-before-0.9.0.sqlite`,
    );
    mkdirSync(join(folder, 'backups'));
    for (const name of [...earlier, 'gatehouse-mine.sqlite'])
      writeFileSync(join(folder, 'backups', name), '');
    const stuck = 'gatehouse-20261031T120000.000Z-before-0.9.0.sqlite';
    mkdirSync(join(folder, 'backups', stuck));
    const upgrade = later(folder, ADD);
    expect(await upgrade.exit).toBe(0);
    const copies = copiesIn(folder);
    expect(copies).toEqual([
      stuck,
      ...earlier.slice(1),
      expect.stringContaining('-before-'),
      'gatehouse-mine.sqlite',
    ]);
    expect(upgrade.output).toContain(`deleted ${join(folder, 'backups', earlier[0]!)}`);
    expect(upgrade.output).toContain(`cannot delete ${join(folder, 'backups', stuck)}`);
    removeFolder(folder);
  });

  it('is refused and not changed by that version once a newer one has migrated it', async () => {
    const folder = await folderWithPlayer();
    expect(await later(folder, ADD).exit).toBe(0);
    const file = join(folder, 'gatehouse.sqlite');
    const before = readFileSync(file);
    const run = (...args: string[]) =>
      new ManagedProcess('node', [inProject('dist/gatehouse.js'), ...args], {
        env: { DATA_DIR: folder, SETTINGS_FILE: inProject('config/settings.yaml') },
      });
    const { process: service, kill } = await spawnGatehouse({ DATA_DIR: folder });
    const [migration, check, list] = [
      run('migrate'),
      run('migrate', '--check'),
      run('withdrawal', 'list'),
    ];
    for (const each of [service, migration, check, list]) {
      expect(await each.exit).toBe(1);
      expect(each.output).toMatch(
        /A newer version of Gatehouse has changed this data folder \(Later4102444800000\), and nothing was changed now: start that version, or restore the copy from its folder `backups`\./,
      );
    }
    await kill();
    expect(readFileSync(file).equals(before)).toBe(true);
    removeFolder(folder);
  });
});
