import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startLoad } from '../support/api/load.js';
import { rawRequest } from '../support/api/raw-request.js';
import { freePort } from '../support/servers/free-port.js';
import { inProject, startGatehouse } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { NO_STOP_LIMITS } from '../support/stop-simulation.js';
import { until } from '../support/until.js';

/** Only connects, because a new connection may get no response during the shutdown. */
async function accepts(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

describe('SIGTERM', () => {
  it('under load lets every received request finish, and makes the service exit with 0', async () => {
    const service = await startGatehouse({ SETTINGS_FILE: writeSettingsFile() });
    const load = startLoad(`${service.url}/api/server/list`, 32);
    await until(() => load.answered > 200, { within: 60_000 });
    const stopped = service.stop();
    await load.done;
    expect(await stopped).toBe(0);
    expect(load.refused).toEqual([]);
    const logs = service.logs();
    expect(load.unanswered.filter((id) => logs.includes(id))).toEqual([]);
  });

  it('does not wait for new or idle connections without a request', async () => {
    const service = await startGatehouse({ NODE_OPTIONS: NO_STOP_LIMITS });
    const agent = new Agent({ keepAlive: true });
    await rawRequest(service.url, '/api/health/live', { agent });
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    expect(await service.stop()).toBe(0);
    agent.destroy();
  });

  it('makes readiness fail with 503 and the service wait only for a slow request, even if sent twice', async () => {
    const service = await startGatehouse({ NODE_OPTIONS: NO_STOP_LIMITS });
    const slow = connect(Number(new URL(service.url).port), '127.0.0.1');
    slow.write('POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    slow.write('Expect: 100-continue\r\nContent-Length: 2\r\n\r\n');
    const answer = text(slow);
    await until(() => slow.bytesRead > 0);
    for (let time = 0; time < 2; time++) service.process.signal('SIGTERM');
    await service.process.waitForLine(/finishing the requests/);
    // A probe opens a new connection, which is accepted only for a short time.
    const ready = () =>
      rawRequest(service.url, '/api/health/ready', { signal: AbortSignal.timeout(2000) }).then(
        ({ status }) => status,
        () => 0,
      );
    await until(async () => (await ready()) === 503);
    await until(async () => !(await accepts(service.url)));
    slow.write('{}');
    expect(await answer).toMatch(/HTTP\/1.1 400 .*connection: close/is);
    expect(await service.process.exit).toBe(0);
    await service.stop();
  });

  it('reaches the service through npm start', async () => {
    const folder = temporaryFolder('npm');
    const port = String(await freePort());
    // The option skips prestart, which builds what has changed.
    const npm = new ManagedProcess('npm', ['start', '--ignore-scripts'], {
      cwd: inProject('.'),
      // The variable is empty because a .env in the project may name a database.
      env: { PORT: port, DATA_DIR: folder, DATABASE_URL: '', DESK_PORT: '0' },
    });
    await npm.waitForLine(/listening on/);
    await npm.stop();
    expect(await accepts(`http://127.0.0.1:${port}`)).toBe(false);
    removeFolder(folder);
  });

  it("is not lost when the service's handler replaces the startup handler", async () => {
    const module = inProject('dist/platform/http/server/graceful-shutdown.js');
    const script = `
      import { onStopSignal } from ${JSON.stringify(module)};
      onStopSignal(() => process.exit(1));
      process.kill(process.pid, 'SIGTERM');
      onStopSignal(() => process.exit(0));
      setTimeout(() => process.exit(2), 60_000);`;
    const child = new ManagedProcess(process.execPath, ['--input-type=module', '-e', script]);
    expect(await child.exit).toBe(0);
  });
});
