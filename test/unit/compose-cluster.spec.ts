import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../src/platform/config/redis-url.js';
import { ComposeFile, matches } from '../support/documents/compose.js';
import { readDocument } from '../support/documents/source-code.js';

const file = new ComposeFile('docker-compose.cluster.yml');
const nodes = file.entries.filter(([, { image }]) => image?.startsWith('mariadb:'));
const nodeNames = nodes.map(([name]) => name);

describe('haproxy.cfg', () => {
  const config = readDocument('config/cluster/haproxy.cfg');

  it('sends all traffic to the first Galera node while it is up', () => {
    const servers = matches(config, /^ {4}server (.+)$/gm);
    const wanted = nodeNames.map((name) => `${name} ${name}:3306 backup`);
    expect(servers).toEqual([wanted[0]!.replace(' backup', ''), ...wanted.slice(1)]);
    expect(config).toMatch(/^ *default-server .*on-marked-down shutdown-sessions/m);
  });

  it("responds to its container's health check", () => {
    const [bind] = matches(config, /^ *bind (127\.0\.0\.1:\d+)$/gm);
    const [path] = matches(config, /^ *monitor-uri (.+)$/gm);
    expect(JSON.stringify(file.services.haproxy!.healthcheck)).toContain(`http://${bind}${path}`);
  });
});

describe('galera.cnf', () => {
  const config = readDocument('config/cluster/galera.cnf');

  it('names the nodes from the Compose file', () => {
    expect(config).toContain(`gcomm://${nodeNames.join()}\n`);
    expect(nodes.map(([, { environment }]) => environment!.NODE)).toEqual(nodeNames);
  });

  it('allows twice the connections that the instances may open', () => {
    const [most] = matches(config, /^max_connections = (\d+)$/gm);
    expect(Number(most)).toBeGreaterThanOrEqual(file.instances.length * 10 * 2 + 20);
  });
});

describe('sentinel.conf', () => {
  const config = readDocument('config/cluster/sentinel.conf');
  const [name, address, port, quorum] = matches(config, /^sentinel monitor (.+)$/gm)[0]!.split(' ');

  it('watches the master that the instances use', () => {
    expect(`${address}:${port}`).toBe(
      `${file.services.redis1!.networks!.default.ipv4_address}:6379`,
    );
    expect(readDocument('config/cluster/start-redis.sh')).toContain(
      `replicaof ${address} ${port}'`,
    );
    const redis = parseRedisUrl(file.environmentOf('app1').REDIS_URL!);
    expect(redis).toMatchObject({ kind: 'sentinel', masterName: name });
    const sentinels = file.entries.filter(([each]) => each.startsWith('sentinel'));
    expect(redis.hosts.map(({ host }) => host)).toEqual(sentinels.map(([each]) => each));
    expect(Number(quorum)).toBe(2);
  });
});

describe('start-node.sh', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-node-'));
    mkdirSync(join(folder, 'bin'));
    program('docker-entrypoint.sh', 'echo "$@"');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (name: string, body: string) => {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  };

  /**
   * Starts a node while the nodes in `ready` accept writes, and returns whether it bootstraps or joins the
   * cluster.
   */
  function start(node: string, { state, ready = [] }: { state?: string; ready?: string[] }) {
    const stateFile = join(folder, 'grastate.dat');
    if (state !== undefined) writeFileSync(stateFile, `# GALERA saved state\n${state}\n`);
    program(
      'mariadb',
      `case "$*" in ${ready.map((name) => `*-h\\ ${name}\\ *|`).join('')}none) printf 'wsrep_ready\\tON\\n';; *) exit 1;; esac`,
    );
    const script = readFileSync('config/cluster/start-node.sh', 'utf8');
    const local = join(folder, 'start-node.sh');
    writeFileSync(local, script.replace('/var/lib/mysql/grastate.dat', stateFile));
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, NODE: node };
    const { stdout, stderr } = spawnSync('bash', [local], { encoding: 'utf8', env });
    expect(stderr).toBe('');
    expect(stdout).toContain(`mariadbd --wsrep-node-name=${node}`);
    return stdout.includes('--wsrep-new-cluster') ? 'bootstraps' : 'joins';
  }

  it.each([
    ['db1', 'bootstraps', 'its volume is empty', {}],
    ['db2', 'joins', 'its volume is empty', {}],
    ['db1', 'joins', 'its volume is empty and another node accepts writes', { ready: ['db3'] }],
    ['db1', 'joins', 'it was not the last node to stop', { state: 'safe_to_bootstrap: 0' }],
    ['db2', 'bootstraps', 'it was the last node to stop', { state: 'safe_to_bootstrap: 1' }],
    [
      'db2',
      'joins',
      'it was the last node to stop and another one accepts writes',
      { state: 'safe_to_bootstrap: 1', ready: ['db1'] },
    ],
  ])('on %s %s the cluster when %s', (node, does, _, given) => {
    expect(start(node, given)).toBe(does);
  });
});

describe('start-redis.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-redis-'));
    for (const name of ['redis-server', 'redis-sentinel'])
      writeFileSync(join(folder, name), `#!/bin/sh\necho "$@"; cat "$1"\n`, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Starts a container and returns its program's arguments and configuration. */
  function start(role: string): { args: string; config: string } {
    const script = readFileSync('config/cluster/start-redis.sh', 'utf8');
    const local = script.replace('/etc/gatehouse/', join(process.cwd(), 'config/cluster/'));
    const env = { PATH: `${folder}:${process.env.PATH}`, REDISCLI_AUTH: 'secret1' };
    const options = { encoding: 'utf8', env, cwd: folder } as const;
    const { stdout, stderr } = spawnSync('sh', ['-c', local, 'start-redis.sh', role], options);
    expect(stderr).toBe('');
    const end = stdout.indexOf('\n');
    return { args: stdout.slice(0, end), config: stdout.slice(end + 1) };
  }

  it.each([
    ['master', ['requirepass secret1', 'masterauth secret1']],
    ['replica', ['requirepass secret1', 'masterauth secret1', 'replicaof 172.30.32.31 6379']],
    ['sentinel', ['requirepass secret1', 'sentinel auth-pass gatehouse secret1']],
  ])('writes the password for a %s into a file that only Redis can read', (role, lines) => {
    const { args, config } = start(role);
    expect(args).not.toContain('secret1');
    expect(config.trim().split('\n').slice(-lines.length)).toEqual(lines);
    const [configFile] = args.split(' ');
    expect(statSync(join(folder, configFile!)).mode & 0o077).toBe(0);
  });

  it('keeps the role that a failover wrote into redis.conf', () => {
    start('replica');
    writeFileSync(join(folder, 'redis.conf'), 'requirepass secret1\n');
    expect(start('replica').config).toBe('requirepass secret1\n');
  });
});
