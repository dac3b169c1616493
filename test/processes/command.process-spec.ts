import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { type Gatehouse, inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

let folder: string;
let instance: Gatehouse;

beforeAll(async () => {
  folder = temporaryFolder('command');
  instance = await startGatehouse({ DATA_DIR: folder });
});
afterAll(async () => {
  await instance.stop();
  removeFolder(folder);
});

interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

function gatehouse(...args: string[]): Promise<Outcome> {
  return run(args);
}

function run(args: string[], variables: Record<string, string> = {}): Promise<Outcome> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    SETTINGS_FILE: inProject('config/settings.yaml'),
    ...variables,
  };
  const command = [inProject('dist/gatehouse.js'), ...args];
  return new Promise((resolve) => {
    const child = execFile('node', command, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const WHO = ['--by', 'anna', '--note', 'ticket 811'];

describe('node dist/gatehouse.js', () => {
  it('exits with 0 for help and with 2 for an unknown command or subcommand', async () => {
    const [help, none, neither] = await Promise.all([
      gatehouse('player', '--help'),
      gatehouse('explode'),
      gatehouse('server', 'explode', '1'),
    ]);
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('Examples') });
    expect(none).toMatchObject({ status: 2, stdout: '' });
    expect(none.stderr).toContain("unknown command 'explode'");
    expect(neither).toMatchObject({ status: 2, stdout: '' });
    expect(neither.stderr).toContain("unknown command 'explode'");
  });

  it('makes changes without a terminal only if --yes is given', async () => {
    const [list, nobody] = await Promise.all([
      gatehouse('server', 'list', '--json'),
      gatehouse('player', 'show', 'nobody'),
    ]);
    expect(nobody).toMatchObject({ status: 1, stdout: '' });
    expect(list.status).toBe(0);
    const [server] = JSON.parse(list.stdout) as Array<{ id: number }>;
    const shut = ['server', 'maintenance', `${server!.id}`, ...WHO];
    expect(await gatehouse(...shut)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('add --yes'),
    });
    expect((await gatehouse(...shut, '--yes')).status).toBe(0);
    // The players' server list may be a second old.
    await until(async () => {
      const { servers } = (await new Client(instance.url).get('/api/server/list')).body.data;
      return (servers as Array<{ id: number; status: string }>).some(
        ({ id, status }) => id === server!.id && status === 'maintenance',
      );
    });
  });

  it('queries a running instance for its status', async () => {
    const running = await gatehouse('status', '--url', instance.url);
    expect(running).toMatchObject({ status: 0, stdout: expect.stringContaining('yes') });
  });

  it('queries the local instance even if the settings file is invalid', async () => {
    const settings = join(folder, 'refused.yaml');
    writeFileSync(settings, 'nonsense: 1\n');
    const { port } = new URL(instance.url);
    const variables = { HOST: '127.0.0.1', PORT: port, SETTINGS_FILE: settings };
    const { status, stdout, stderr } = await run(['status'], variables);
    expect(stderr).toContain('is refused: asking only the instance on this host');
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining(port) });
  });
});
