import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCertificates } from '../support/servers/certificates.js';
import { type EchoUpstream, startEchoUpstream } from '../support/servers/echo-upstream.js';
import { freePort } from '../support/servers/free-port.js';
import { type Nginx, type NginxOptions, startNginx } from '../support/servers/nginx.js';
import { ManagedProcess } from '../support/servers/processes.js';
import { type Answer, rawRequest } from '../support/api/raw-request.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

let first: EchoUpstream;
let second: EchoUpstream;
let nginx: Nginx | undefined;

beforeEach(async () => {
  [first, second] = await Promise.all([startEchoUpstream(), startEchoUpstream()]);
});
afterEach(async () => {
  await Promise.all([nginx?.stop(), first.stop(), second.stop()]);
  nginx = undefined;
});

const start = async (options: Partial<NginxOptions> = {}) => {
  nginx = await startNginx({ upstreams: [first.address, second.address], ...options });
};

async function timed(path: string, method = 'GET'): Promise<Answer & { ms: number }> {
  const started = performance.now();
  const answer = await rawRequest(nginx!.url, path, { method }, method === 'POST' ? '{}' : '');
  return { ...answer, ms: performance.now() - started };
}

const readTimeouts = (config: string) =>
  [...config.matchAll(/proxy_read_timeout (\w+);/g)].map(([, time]) => time);

describe('A frozen instance', () => {
  /**
   * Shortens the file's timeouts to a tenth. In the file, the time to try another instance is shorter than every
   * read timeout except the one for responses from memory.
   */
  const shortened = (config: string) => {
    expect(readTimeouts(config)).toEqual(['16s', '2s', '30s']);
    expect(config).toContain('proxy_next_upstream_timeout 5s;');
    return config
      .replaceAll(/(?<=proxy_read_timeout \d+)s/g, '00ms')
      .replace('proxy_next_upstream_timeout 5s', 'proxy_next_upstream_timeout 1s');
  };

  it('is skipped for requests that are served from memory', async () => {
    // The read timeouts stay as in the file. nginx gets more time to try the other instance on a busy machine.
    const patient = (config: string) =>
      config.replace('proxy_next_upstream_timeout 5s', 'proxy_next_upstream_timeout 50s');
    await start({ edit: patient });
    first.freezeFromNowOn();
    for (const path of ['/', '/assets/a.js', '/api/server/list', '/api/config', '/api/misc/agree'])
      expect((await timed(path)).status, path).toBe(200);
    expect(first.received.length).toBeGreaterThan(0);
  });

  it('causes 503 for every other request, which is not sent again', async () => {
    await start({ edit: shortened });
    first.freezeFromNowOn();
    second.freezeFromNowOn();
    const [login, callback] = await Promise.all([
      timed('/api/login', 'POST'),
      timed('/api/forumauth/callback?code=1'),
    ]);
    for (const answer of [login, callback]) {
      expect(answer.status).toBe(503);
      expect(answer.ms).toBeGreaterThan(1500);
    }
    expect([...first.received, ...second.received]).toHaveLength(2);
  });

  it('gets the longest timeout for a withdrawal', async () => {
    await start({ edit: shortened });
    first.freezeFromNowOn();
    second.freezeFromNowOn();
    const [login, withdrawal] = await Promise.all([
      timed('/api/login', 'POST'),
      timed('/api/game/withdraw', 'POST'),
    ]);
    expect([login.status, withdrawal.status]).toEqual([503, 503]);
    expect(withdrawal.ms).toBeGreaterThan(2900);
    expect(withdrawal.ms).toBeGreaterThan(login.ms);
    expect([...first.received, ...second.received]).toHaveLength(2);
  });
});

describe('An instance at the max_conns of one upstream group', () => {
  const narrow = (config: string) => {
    // Each upstream group limits both instances.
    expect(config.match(/max_conns=\d+ /g)).toHaveLength(6);
    // Held requests must neither end nor move to the other instance during the test.
    const patient = config.replaceAll(/proxy_read_timeout \w+;/g, 'proxy_read_timeout 600s;');
    return patient.replaceAll(/max_conns=\d+/g, 'max_conns=1');
  };
  const arrived = () =>
    [...first.received, ...second.received].map(({ url }) => url.replace(/\?.*/, ''));

  it('gets no more requests of this group, but still gets those of other groups', async () => {
    await start({ edit: narrow });
    first.freezeFromNowOn();
    second.freezeFromNowOn();
    // These requests never get a response.
    const hold = (path: string, method?: string) => void timed(path, method).catch(() => undefined);
    hold('/api/login', 'POST');
    hold('/API/Login/', 'POST');
    await until(() => arrived().length === 2);
    const refused = await timed('/api/login', 'POST');
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('2');
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      code: 50302,
      error: 'service_unavailable',
    });
    expect((await timed('/api/account')).status).toBe(503);
    await until(() => nginx!.accessLog().includes('"/api/account"'));
    expect(nginx!.accessLog().match(/"upstream":"gatehouse"/g)).toHaveLength(2);

    const more = ['/api/check', '/api/enter_game', '/api/health/live', '/api/game/withdraw'];
    for (const path of more) hold(path);
    await until(() => more.every((path) => arrived().includes(path)));
    expect((await timed('/api/Link')).status).toBe(503);
    expect((await timed('/api/server/list')).status).toBe(503);
    expect(arrived()).toHaveLength(2 + more.length);
  });
});

describe('An instance whose machine has disappeared', () => {
  let gone: ManagedProcess;
  let sockets: Socket[];

  /** Opens a port with a full backlog, so that the kernel drops every new connection. */
  async function vanishedPort(): Promise<number> {
    const port = await freePort();
    const script = `require('node:net').createServer().listen(${port}, '127.0.0.1', 1, () => {
      console.log('listening');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
    gone = new ManagedProcess('node', ['-e', script]);
    await until(() => gone.output.includes('listening'));
    const connected = new Set<Socket>();
    sockets = Array.from({ length: 6 }, () => {
      const socket = connect(port, '127.0.0.1', () => connected.add(socket));
      return socket.on('error', () => undefined);
    });
    await until(() => connected.size === 2);
    return port;
  }

  it('delays a GET or a POST by half a second, and later requests not at all', async () => {
    await start({ upstreams: [`127.0.0.1:${await vanishedPort()}`, second.address] });
    const answers: Array<Answer & { ms: number }> = [];
    for (let i = 0; i < 4; i++)
      answers.push(await timed('/api/account'), await timed('/api/login', 'POST'));
    for (const socket of sockets) socket.destroy();
    await gone.stop('SIGKILL');
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const times = answers.map(({ ms }) => ms);
    // The upper limit is ten times the timeout in nginx.conf.
    expect(Math.max(...times)).toBeGreaterThan(450);
    expect(Math.max(...times)).toBeLessThan(5000);
    expect(second.received).toHaveLength(8);
  });
});

describe('The TLS lines of docs/operations.md', () => {
  const runbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, lines = ''] = runbook.match(/```nginx\n( *listen 443 ssl .*?)```/s) ?? [];

  it("add Strict-Transport-Security once to every response, including nginx's own", async () => {
    const folder = temporaryFolder('tls');
    const { ca, cert, key } = createCertificates(folder);
    const tls = lines
      .replace(/(?<=ssl_certificate ).*(?=;)/, cert)
      .replace(/(?<=ssl_certificate_key ).*(?=;)/, key);
    await start({
      edit: (config, port) =>
        config.replace(/listen \S+ default_server[^;]*;/, tls.replace('443', `127.0.0.1:${port}`)),
    });
    const get = (path: string) =>
      new Promise<string[]>((resolve, reject) => {
        const options = { path, port: nginx!.port, host: '127.0.0.1', servername: 'localhost' };
        const asked = request({ ...options, ca: readFileSync(ca), agent: false }, (answer) => {
          answer.resume();
          resolve(answer.headersDistinct['strict-transport-security'] ?? []);
        });
        asked.on('error', reject).end();
      });
    for (const path of ['/api/config', '/api/login', '/x.php', '/%zz'])
      expect(await get(path), path).toEqual(['max-age=31536000']);
    removeFolder(folder);
  });

  it('are required for Strict-Transport-Security, which is not sent without TLS', async () => {
    await start();
    for (const path of ['/api/config', '/x.php'])
      expect((await timed(path)).headers).not.toHaveProperty('strict-transport-security');
  });
});
