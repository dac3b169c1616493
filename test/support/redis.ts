import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { PrivateServer } from './private-server.js';
import { ManagedProcess } from './processes.js';
import { removeFolder, temporaryFolder } from './temporary-folder.js';

export type Redis = PrivateServer & { readonly url: string; readonly port: number };

/** A Redis of the test's own; `options` are added to its command line. */
export async function startRedis(options: string[] = []): Promise<Redis> {
  const port = await freePort();
  const folder = temporaryFolder('redis');
  const listen = options.some((option) => option.startsWith('--tls'))
    ? '--port 0 --tls-port'
    : '--port';

  const launch = async () => {
    const own = `--bind 127.0.0.1 ${listen} ${port} --appendonly no --dir ${folder}`.split(' ');
    const server = new ManagedProcess('redis-server', [...own, '--save', '', ...options]);
    await server.waitForLine(/Ready to accept connections/);
    return server;
  };

  const server = await PrivateServer.start(launch, () => removeFolder(folder));
  return Object.assign(server, { url: `redis://127.0.0.1:${port}`, port: port });
}

/** Asks redis-cli; gives what it prints. */
export async function askRedis(port: number, ...command: string[]): Promise<string> {
  const cli = new ManagedProcess('redis-cli', ['-h', '127.0.0.1', '-p', String(port), ...command]);
  await cli.exit;
  return cli.output;
}

export interface SentinelOptions {
  /** How long the master has to be silent before a sentinel takes it for dead. */
  downAfterMs: number;
  password?: string;
}

/** Three sentinels, of which two have to agree, for the master on this port; its name is `players`. */
export async function startSentinels(
  masterPort: number,
  { downAfterMs, password }: SentinelOptions,
): Promise<{ url: string; ports: number[]; stop: () => Promise<void> }> {
  const started = await Promise.all(
    [0, 1, 2].map(() => startSentinel(masterPort, { downAfterMs, password })),
  );
  const ports = started.map(({ port }) => port);
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const login = password ? `:${password}@` : '';
  return {
    url: `redis+sentinel://${login}${hosts}/players`,
    ports,
    stop: async () => {
      await Promise.all(started.map(({ stop }) => stop()));
    },
  };
}

async function startSentinel(masterPort: number, { downAfterMs, password }: SentinelOptions) {
  const port = await freePort();
  const folder = temporaryFolder('sentinel');
  const file = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor players 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds players ${downAfterMs}`,
    'sentinel failover-timeout players 5000',
    ...(password ? [`sentinel auth-pass players ${password}`, `requirepass ${password}`] : []),
  ];
  writeFileSync(file, lines.join('\n'));
  const sentinel = new ManagedProcess('redis-sentinel', [file]);
  await sentinel.waitForLine(/\+monitor master players/);
  return {
    port,
    stop: async () => {
      await sentinel.stop('SIGKILL');
      removeFolder(folder);
    },
  };
}

/** A CA of its own and a certificate for 127.0.0.1 under it; `options` has a Redis use that. */
export async function makeCertificate(folder: string): Promise<{ ca: string; options: string[] }> {
  const [ca, caKey, certificate, key, request, names] = [
    'ca',
    'ca-key',
    'crt',
    'key',
    'csr',
    'ext',
  ].map((name) => join(folder, name)) as [string, string, string, string, string, string];
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  writeFileSync(names, 'subjectAltName = IP:127.0.0.1');
  for (const command of [
    `req -x509 ${newKey} -keyout ${caKey} -out ${ca} -days 2 -subj /CN=test-ca`,
    `req ${newKey} -keyout ${key} -out ${request} -subj /CN=redis`,
    `x509 -req -in ${request} -CA ${ca} -CAkey ${caKey} -CAcreateserial -days 2 -extfile ${names} -out ${certificate}`,
  ]) {
    const openssl = new ManagedProcess('openssl', command.split(' '));
    if ((await openssl.exit) !== 0) throw openssl.failure('made no certificate');
  }
  const files = `--tls-cert-file ${certificate} --tls-key-file ${key} --tls-ca-cert-file ${ca}`;
  return { ca, options: `${files} --tls-auth-clients no`.split(' ') };
}
