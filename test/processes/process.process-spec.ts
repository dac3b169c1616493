import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { inProject, spawnGatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { childrenOf } from '../support/servers/process-tree.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

describe('the bundle', () => {
  it('has maps that lead to the sources', () => {
    const maps = readdirSync(inProject('dist/bundle')).filter((name) => name.endsWith('.map'));
    const sources = maps
      .map((name) => JSON.parse(readFileSync(inProject(`dist/bundle/${name}`), 'utf8')))
      .flatMap(({ sources: of }: { sources: string[] }) => of)
      .filter((source) => !source.includes('node_modules'));
    expect(sources).toContain('../../src/main.ts');
    expect(sources.filter((source) => !existsSync(inProject(`dist/bundle/${source}`)))).toEqual([]);
    // Such as that of a program whose file only leads to the bundle.
    expect(existsSync(inProject('dist/main.js.map'))).toBe(false);
  });
});

describe('a log that nobody reads', () => {
  const askOften = async (client: Client) => {
    const headers = { 'X-Request-Id': 'x'.repeat(64) };
    const ask = () => client.get('/api/health/live', { headers });
    const answers = await Promise.all(Array.from({ length: 100 }, ask));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  };

  it('is dropped and counted, and holds up neither a request nor the end', async () => {
    const service = await startGatehouse({ TRUST_PROXY: 'loopback' }, { unread: true });
    const client = new Client(service.url);
    const dropped = async () => {
      const metrics = (await client.get('/api/metrics')).text;
      return Number(/^gatehouse_log_lines_dropped (\d+)$/m.exec(metrics)?.[1]);
    };
    // Some 300 bytes a line: the pipe and the buffer of 1 MiB take 4000 of them.
    for (let round = 0; round < 60 && (await dropped()) === 0; round++) await askOften(client);
    await askOften(client);
    expect(await dropped()).toBeGreaterThanOrEqual(100);
    const begun = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('holds up no end either where a worker was replaced meanwhile', async () => {
    const service = await startGatehouse(
      { WORKERS: '2', TRUST_PROXY: 'loopback' },
      { unread: true },
    );
    // The pipe takes some 300 of them.
    for (let round = 0; round < 5; round++) await askOften(new Client(service.url));
    const [first, second] = childrenOf(service.pid);
    process.kill(first!, 'SIGKILL');
    await until(() => childrenOf(service.pid).some((pid) => pid !== first && pid !== second));
    await askOften(new Client(service.url));
    expect(await service.stop()).toBe(0);
  });
});

describe('the folder of embedded mode', () => {
  it('is closed to other users, with what an earlier version left open in it', async () => {
    const folder = temporaryFolder('private');
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'gatehouse.sqlite'), '', { mode: 0o644 });
    writeFileSync(join(folder, 'notes.txt'), 'not ours', { mode: 0o644 });
    const sandbox = join(folder, 'sandbox');
    mkdirSync(sandbox, { mode: 0o755 });
    for (const name of ['sandbox.sqlite', 'mir_actor_s99.sqlite'])
      writeFileSync(join(sandbox, name), '', { mode: 0o644 });
    const service = await startGatehouse({ DATA_DIR: folder });
    const modes = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [entry.name, (statSync(path).mode & 0o777).toString(8), entry.isDirectory()] as const;
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

describe('on an empty folder', () => {
  const folder = temporaryFolder('migrations');
  afterAll(() => removeFolder(folder));
  const run = (settings: string, ...args: string[]) =>
    new ManagedProcess('node', [inProject('dist/gatehouse.js'), ...args], {
      env: { DATA_DIR: folder, SETTINGS_FILE: join(folder, settings) },
    });

  it('the migrations of several processes that start at once are done once', async () => {
    // They need no settings: a file that is refused does not stop them.
    const all = Array.from({ length: 3 }, () => run('there-is-none.yaml', 'migrate'));
    expect(await Promise.all(all.map(({ exit }) => exit))).toEqual([0, 0, 0]);
    expect(all.filter(({ output }) => output.includes('migrated:'))).toHaveLength(1);
  });

  it('gatehouse withdrawal then lists while the settings file is refused, and says so; what needs the settings is refused', async () => {
    writeFileSync(join(folder, 'settings.yaml'), 'deny_ipp: []');
    const list = run('settings.yaml', 'withdrawal', 'list');
    expect(await list.exit).toBe(0);
    expect(list.output).toContain('deny_ipp is not a known setting');
    expect(list.output).toContain('There are none.');
    const reconcile = run('settings.yaml', 'withdrawal', 'reconcile');
    expect(await reconcile.exit).toBe(1);
    expect(reconcile.output).toContain('mend the settings first');
  });

  it('and settles then', async () => {
    const database = new Libsql(join(folder, 'gatehouse.sqlite'));
    const at = '2026-11-15 12:00:00.000';
    database.exec("INSERT INTO player (account, password) VALUES ('somebody', 'x')");
    database.exec(
      `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status, noted_status,
          order_no, created_at, sent_at)
        SELECT id, 1, 1, 7, 'hero', 100, 'unknown', 'unknown', 'W1', '${at}', '${at}' FROM player`,
    );
    const why = ['--by', 'anna', '--note', 'in the log of the server'];
    const settle = run('settings.yaml', 'withdrawal', 'settle', 'W1', 'succeeded', ...why);
    expect(await settle.exit).toBe(0);
    expect(settle.output).toContain('deny_ipp is not a known setting');
    const { status } = database.prepare('SELECT status FROM withdraw').get() as { status: string };
    expect(status).toBe('succeeded');
    database.close();
  });
});

describe('a start', () => {
  it('says which port it got, and on one that is taken, without a stack, that it is', async () => {
    const first = await spawnGatehouse({ PORT: '0' });
    const [, port] = await first.process.waitForLine(
      /Gatehouse \d+\.\d+\.\d+ .*listening on 127.0.0.1:([1-9]\d+)/,
    );
    const second = await spawnGatehouse({ PORT: port });
    expect(await second.process.exit).toBe(1);
    expect(second.logs()).toMatch(/cannot start:\n {2}- .*EADDRINUSE/);
    expect(second.logs()).not.toMatch(/^\s+at /m);
    await second.stop();
    expect(await first.stop()).toBe(0);
  });

  it('with a wrong configuration names every problem of both files and exits 1', async () => {
    const service = await spawnGatehouse({
      DATABASE_URL: 'mysql://x',
      JWT_SECRET: 'short',
      TRUST_PROXY: 'true',
      SETTINGS_FILE: 'there-is-none.yaml',
    });
    expect(await service.process.exit).toBe(1);
    for (const problem of [
      /PASSWORD_KEY must be set/,
      /JWT_SECRET must be at least/,
      /TRUST_PROXY must/,
      /there-is-none/,
    ])
      expect(service.logs()).toMatch(problem);
    await service.kill();
  });
});
