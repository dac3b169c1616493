import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '../support/api/client.js';
import { freePort } from '../support/servers/free-port.js';
import { type Gatehouse, inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import { childrenOf, isRunning, signalIfRunning } from '../support/servers/process-tree.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

const isUp = async (url: string): Promise<boolean> => {
  const answer = await new Client(url).get('/api/session').catch(() => undefined);
  return answer?.body.error === 'unauthorized';
};

describe('The desk on a first run', () => {
  let service: Gatehouse;
  let url: string;
  let port: string;

  beforeAll(async () => {
    port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    service = await startGatehouse({ DESK_PORT: port });
    await service.process.waitForLine(/The operators' desk/);
  });

  const pidOfDesk = () => childrenOf(service.pid)[0];

  it("prints its address and sign-in instructions, and uses the sandbox's mail server", async () => {
    const [, where, name, password] = await service.process.waitForLine(
      /The operators' desk: +(\S+) +sign in as (\S+) with (\S+)/,
    );
    expect(where).toBe(url);
    const answer = await new Client(url).post('/api/sign_in', { name, password });
    expect(answer.body.data.operator).toEqual({ name: 'admin', role: 'admin' });
    // The sandbox chose its mail server's port, so only the service knows the port.
    const Cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
    await until(async () => {
      const { body } = await new Client(url).get('/api/now', { headers: { Cookie } });
      return body.data?.mail.state === 'up';
    });
  });

  it('is restarted after it is killed, while the service keeps serving players', async () => {
    const killed = pidOfDesk()!;
    const players = { client: new Client(service.url), asked: 0, untilBack: true };
    const askOn = async () => {
      for (; players.untilBack; players.asked++) {
        expect((await players.client.get('/api/server/list')).status).toBe(200);
        // The pause leaves processor time for the desk's startup.
        await pause(20);
      }
    };
    const asking = askOn();
    signalIfRunning(killed, 'SIGKILL');
    await until(async () => (await isUp(url)) && pidOfDesk() !== killed, { within: 60_000 });
    await until(() => players.asked > 10);
    players.untilBack = false;
    await asking;
    const line = await service.process.waitForLine(
      /the desk exited unexpectedly and restarts in 1 s/,
    );
    expect(JSON.parse(line.input!)).toMatchObject({ desk: killed, signal: 'SIGKILL' });
  });

  it('belongs to the instance that holds its port, and moves to the next one when that instance stops', async () => {
    const other = await startGatehouse({ DESK_PORT: port });
    await other.process.waitForLine(/cannot start the desk while 127.0.0.1:\d+ is taken/);
    expect(childrenOf(other.pid)).toEqual([]);
    expect((await new Client(other.url).get('/api/health/live')).status).toBe(200);
    const desk = pidOfDesk()!;
    expect(await service.stop()).toBe(0);
    await until(() => !isRunning(desk));
    await other.process.waitForLine(/The operators' desk/);
    expect(other.logs().match(/is taken/g)).toHaveLength(1);
    const next = childrenOf(other.pid)[0]!;
    expect(await isUp(url)).toBe(true);
    // A killed service cannot tell its desk to stop.
    await other.kill();
    await until(() => !isRunning(next));
  });
});

describe('Two instances that start together', () => {
  it('run one desk, and neither reports that the desk died', async () => {
    const DESK_PORT = String(await freePort());
    const both = await Promise.all([startGatehouse({ DESK_PORT }), startGatehouse({ DESK_PORT })]);
    await until(() => both.some(({ logs }) => /The operators' desk/.test(logs())));
    await until(() => both.some(({ logs }) => /is taken by another program/.test(logs())));
    for (const instance of both) {
      expect(instance.logs()).not.toMatch(/the desk exited unexpectedly|cannot start:/);
      expect(await instance.stop()).toBe(0);
    }
  });
});

describe('node dist/desk.js', () => {
  const environment = (DATA_DIR: string) => ({
    DATA_DIR,
    SETTINGS_FILE: inProject('config/settings.yaml'),
    AGREEMENT_FILE: inProject('config/agreement.html'),
  });
  const start = (env: Record<string, string>, folder: string) =>
    new ManagedProcess('node', [inProject('dist/desk.js')], {
      cwd: folder,
      env: { ...environment(folder), ...env },
    });
  let folder: string;

  beforeAll(() => {
    folder = temporaryFolder('desk');
  });
  afterAll(() => removeFolder(folder));

  it('runs without the service, and responds once the tables exist', async () => {
    const port = await freePort();
    const client = new Client(`http://127.0.0.1:${port}`);
    const desk = start({ DESK_PORT: String(port) }, folder);
    await desk.waitForLine(/the desk listens on/);
    expect((await client.get('/api/session')).body.error).toBe('service_unavailable');
    const migrate = new ManagedProcess('node', [inProject('dist/gatehouse.js'), 'migrate'], {
      env: { DATA_DIR: folder },
    });
    expect(await migrate.exit).toBe(0);
    await desk.waitForLine(/The operators' desk/);
    expect((await client.get('/api/session')).body.error).toBe('unauthorized');
    expect(await desk.stop('SIGTERM')).toBe(0);
  });

  it('exits if the service that started it is killed before the desk has loaded', async () => {
    const port = String(await freePort());
    const env = { ...process.env, ...environment(folder), DESK_PORT: port };
    const desk = fork(inProject('dist/desk.js'), [], { cwd: folder, env, stdio: 'ignore' });
    onTestFinished(() => void desk.kill('SIGKILL'));
    desk.disconnect();
    expect(await once(desk, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['a missing DESK_PORT', { DESK_PORT: '0' }, /DESK_PORT is not set/],
    // The desk must not fall back to the default settings, which do not require a second operator.
    ['an invalid settings file', { SETTINGS_FILE: 'none.yaml' }, /none\.yaml/],
  ])('exits with 1 and the reason for %s', async (_, env, why) => {
    const desk = start({ DESK_PORT: String(await freePort()), ...env }, folder);
    expect(await desk.exit).toBe(1);
    expect(desk.output).toMatch(why);
    expect(desk.output).toContain('The desk cannot start:');
  });
});
