import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificates } from './certificates.js';
import { freePort } from './free-port.js';
import { PrivateServer } from './private-server.js';
import { ManagedProcess } from './processes.js';
import { removeFolder, temporaryDataFolder } from './temporary-folder.js';

export type Redis = PrivateServer & { readonly url: string; readonly port: number };

/** A cluster node listens for other nodes this far above its port. */
const CLUSTER_BUS = 10_000;

/** Starts a private Redis; `options` are added to its command line. */
export async function startRedis(options: string[] = []): Promise<Redis> {
  const port = await freePort(options.includes('--cluster-enabled') ? CLUSTER_BUS : 0);
  const folder = temporaryDataFolder('redis');
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
  return Object.assign(server, { url: `redis://127.0.0.1:${port}`, port });
}

/** Runs redis-cli and returns its output. */
export async function askRedis(port: number, ...command: string[]): Promise<string> {
  const cli = new ManagedProcess('redis-cli', ['-h', '127.0.0.1', '-p', String(port), ...command]);
  await cli.exit;
  return cli.output;
}

interface SentinelOptions {
  /** A sentinel considers the master down after this time without a response. */
  downAfterMs: number;
  password?: string;
  tls?: string[];
}

/** Starts three sentinels with a quorum of two for the master `players` on this port. */
export async function startSentinels(
  masterPort: number,
  options: SentinelOptions,
): Promise<{ url: string; ports: number[]; stop: () => Promise<void> }> {
  const started = await Promise.all([0, 1, 2].map(() => startSentinel(masterPort, options)));
  const ports = started.map(({ port }) => port);
  const login = options.password ? `:${options.password}@` : '';
  const scheme = options.tls ? 'rediss+sentinel' : 'redis+sentinel';
  return {
    url: `${scheme}://${login}${hostsOf(ports)}/players`,
    ports,
    stop: async () => {
      await Promise.all(started.map(({ stop }) => stop()));
    },
  };
}

async function startSentinel(masterPort: number, options: SentinelOptions) {
  const { downAfterMs, password, tls = [] } = options;
  const port = await freePort();
  const folder = temporaryDataFolder('sentinel');
  const file = join(folder, 'sentinel.conf');
  const lines = [
    ...(tls.length > 0 ? ['port 0', `tls-port ${port}`, 'tls-replication yes'] : [`port ${port}`]),
    tls.join(' ').replaceAll('--', '\n'),
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

/** Makes these servers the masters of a cluster and returns their hosts in REDIS_URL format. */
export async function createCluster(nodes: Redis[], tls: string[] = []): Promise<string> {
  const hosts = hostsOf(nodes.map(({ port }) => port));
  const create = ['--cluster', 'create', ...hosts.split(','), '--cluster-yes'];
  const cli = new ManagedProcess('redis-cli', [...tls, ...create]);
  await cli.exit;
  if (!cli.output.includes('All 16384 slots covered')) throw cli.failure('made no cluster');
  return hosts;
}

const hostsOf = (ports: number[]) => ports.map((port) => `127.0.0.1:${port}`).join(',');

/** Returns the options for a Redis server or a sentinel with these certificates. */
export function redisTlsOptions({ ca, cert, key }: Certificates): string[] {
  return `--tls-cert-file ${cert} --tls-key-file ${key} --tls-ca-cert-file ${ca} --tls-auth-clients no`.split(
    ' ',
  );
}
