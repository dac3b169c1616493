import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

// The embedded database of a running instance, as on a first run: nothing else has to be started.
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

function gatehouse(args: string[], input = '') {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    SETTINGS_FILE: inProject('config/settings.yaml'),
  };
  const command = [inProject('dist/gatehouse.js'), ...args];
  const { status, stdout, stderr } = spawnSync('node', command, {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

const WHO = ['--by', 'anna', '--note', 'ticket 811'];

describe('the program gatehouse', () => {
  it('exits with 0 for help, and with 2 for what it does not understand', () => {
    expect(gatehouse(['player', '--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Examples'),
    });
    const none = gatehouse(['explode']);
    expect(none).toMatchObject({ status: 2, stdout: '' });
    expect(none.stderr).toContain('gatehouse player');
    expect(gatehouse(['server', 'explode', '1'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('gatehouse server list'),
    });
  });

  it('acts with --yes alone where nobody can be asked, prints JSON, and exits with 1 where it cannot be done', () => {
    const list = gatehouse(['server', 'list', '--json']);
    expect(list.status).toBe(0);
    const [server] = JSON.parse(list.stdout) as Array<{ id: number }>;
    const shut = ['server', 'maintenance', `${server!.id}`, ...WHO];
    expect(gatehouse(shut)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('add --yes'),
    });
    expect(gatehouse([...shut, '--yes']).status).toBe(0);
    const story = gatehouse(['events', 'audit', '--subject', `server ${server!.id}`, '--json']);
    expect(JSON.parse(story.stdout)).toMatchObject([
      { operator: 'anna', act: 'server.maintenance', note: 'ticket 811' },
    ]);
    expect(gatehouse(['player', 'show', 'nobody'])).toMatchObject({ status: 1, stdout: '' });
  });

  // As a process: within the tests' own, the entities of all modules are known to each.
  it('knows every table that its withdrawals need', () => {
    const list = gatehouse(['withdrawal', 'list', '--account', 'nobody']);
    expect(list).toMatchObject({ status: 0, stdout: 'There are none.\n' });
  });

  it('asks a running instance, and exits with 1 where one is missing', () => {
    expect(gatehouse(['status', '--url', instance.url])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('yes'),
    });
    expect(gatehouse(['status', '--url', 'http://127.0.0.1:1']).status).toBe(1);
  });

  it('completes in bash', () => {
    const { stdout } = gatehouse(['completion', 'bash']);
    const complete = (...words: string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gatehouse; echo "\${COMPREPLY[@]}"`,
          'bash',
          ...words,
        ],
        { encoding: 'utf8' },
      ).stdout.trim();
    expect(complete('gatehouse', 'pl')).toBe('player');
    expect(complete('gatehouse', 'player', 'se')).toBe('sessions set-email set-password secure');
    expect(complete('gatehouse', 'server', 'set', '--gm-p')).toBe('--gm-port --gm-path');
  });
});
