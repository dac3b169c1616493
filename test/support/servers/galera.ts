import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { createDataFolder, query, rootByTcp } from './mariadb.js';
import { PrivateServer } from './private-server.js';
import { ManagedProcess } from './processes.js';
import { removeFolder, temporaryDataFolder } from './temporary-folder.js';
import { until } from '../until.js';

const PROVIDERS = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];
const provider = () => PROVIDERS.find((path) => existsSync(path));

/** Returns the programs that a Galera cluster needs and that are not installed. */
function missingForGalera(): string[] {
  const programs = ['mariadbd', 'rsync', 'lsof', 'socat'];
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0,
  );
  return provider() ? missing : [...missing, 'galera-4 (libgalera_smm.so)'];
}

export type GaleraNode = PrivateServer & {
  readonly rootUrl: string;
  readonly port: number;
  /** `IST` transfers only the missing changes, and `SST` transfers all data. */
  joinedBy(): 'IST' | 'SST';
  /** Removes a killed node's data, as if its machine were replaced. */
  loseData(): void;
};

/** Detects a lost node within seconds, but tolerates a busy machine. */
const TIMES =
  'evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S';

/** Starts three nodes on loopback that all accept writes. */
export async function startGalera(): Promise<{
  nodes: [GaleraNode, GaleraNode, GaleraNode];
  stop(): Promise<void>;
}> {
  const missing = missingForGalera();
  if (missing.length > 0) throw new Error(`a Galera cluster needs ${missing.join(', ')}`);
  const folder = temporaryDataFolder('galera');
  chmodSync(folder, 0o755);
  const password = randomBytes(12).toString('hex');
  const group: number[] = [];
  for (let node = 0; node < 3; node++) group.push(await freePort());
  const nodes: GaleraNode[] = [];
  for (const place of group.keys())
    nodes.push(await startNode({ folder: join(folder, `node${place}`), password, group, place }));
  return {
    nodes: nodes as [GaleraNode, GaleraNode, GaleraNode],
    async stop() {
      for (const node of nodes) await node.stop();
      removeFolder(folder);
    },
  };
}

interface NodeOptions {
  folder: string;
  password: string;
  group: number[];
  place: number;
}

async function startNode({ folder, password, group, place }: NodeOptions): Promise<GaleraNode> {
  const data = join(folder, 'data');
  const makeFolders = () => {
    mkdirSync(data, { recursive: true });
    return ownedByServer([folder, data]);
  };
  const user = makeFolders();
  const initFile = join(folder, 'init.sql');
  writeFileSync(initFile, rootByTcp(password), { mode: 0o644 });
  // The other nodes get their data from the first one.
  if (place === 0) await createDataFolder(data, user);
  const [port, transfer, increment] = [await freePort(), await freePort(), await freePort()];
  let first = place === 0;
  let output = '';
  const options = [
    '--no-defaults',
    ...user,
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    `--socket=${join(folder, 'mariadb.sock')}`,
    `--pid-file=${join(folder, 'mariadb.pid')}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--max-connections=300',
    '--innodb-buffer-pool-size=64M',
    '--innodb-log-file-size=16M',
    '--innodb-flush-log-at-trx-commit=2',
    '--innodb-autoinc-lock-mode=2',
    '--binlog-format=ROW',
    '--wsrep-on=ON',
    `--wsrep-provider=${provider()}`,
    `--wsrep-cluster-address=gcomm://${group.map((one) => `127.0.0.1:${one}`).join()}`,
    '--wsrep-node-address=127.0.0.1',
    `--wsrep-node-name=node${place}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${transfer}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group[place]};ist.recv_addr=127.0.0.1:${increment};gcache.size=32M;${TIMES}`,
  ];

  const launch = async () => {
    const knowsState = existsSync(join(data, 'grastate.dat'));
    const server = new ManagedProcess('mariadbd', [
      ...options,
      ...(first ? ['--wsrep-new-cluster', `--init-file=${initFile}`] : []),
      ...(knowsState ? await recoveredPosition(options) : []),
    ]);
    first = false;
    await server.waitForLine(/Synchronized with group, ready for connections/);
    ({ output } = server);
    return server;
  };

  const rootUrl = `mysql://root:${password}@127.0.0.1:${port}`;
  const server = await PrivateServer.start(launch);
  await until(() => answers(rootUrl), { within: 30_000 });
  return Object.assign(server, {
    rootUrl,
    port,
    joinedBy: () =>
      output.includes('SST completed on joiner') ? ('SST' as const) : ('IST' as const),
    loseData() {
      rmSync(data, { recursive: true });
      makeFolders();
    },
  });
}

/** Recovers a killed node's position, as Debian's systemd unit does. Otherwise the node would fetch all data. */
async function recoveredPosition(options: string[]): Promise<string[]> {
  const recovery = new ManagedProcess('mariadbd', [...options, '--wsrep-recover']);
  const [, position] = await recovery.waitForLine(/Recovered position:\s*(\S+)/);
  await recovery.exit;
  return [`--wsrep-start-position=${position}`];
}

/** Isolates a node from the other nodes, or reconnects it; clients can still reach it. */
export async function isolate({ rootUrl }: GaleraNode, on: 0 | 1): Promise<void> {
  await query(rootUrl, `SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${on}'`);
}

/** Returns whether all nodes are synced members of one cluster. Nodes may notice late that one was isolated. */
export async function areInStep(nodes: GaleraNode[]): Promise<boolean> {
  const status = `SHOW GLOBAL STATUS LIKE 'wsrep\\_%'`;
  const statusOf = (node: GaleraNode) => takeTurn(node).then(() => query(node.rootUrl, status));
  const states = await Promise.all(nodes.map((node) => statusOf(node).catch(() => [])));
  return states.every((rows) => {
    const values = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
    return (
      values.get('wsrep_ready') === 'ON' &&
      values.get('wsrep_cluster_size') === String(nodes.length) &&
      values.get('wsrep_local_state_comment') === 'Synced'
    );
  });
}

/** Makes a write that changes nothing, but returns only after the connected nodes have ordered it. */
export async function takeTurn({ rootUrl }: GaleraNode): Promise<void> {
  await query(rootUrl, 'CREATE DATABASE IF NOT EXISTS turn');
}

/** Changes the folders' owner to mysql, which runs Debian's state transfer scripts. */
function ownedByServer(folders: string[]): string[] {
  if (process.getuid?.() !== 0) return [];
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'mysql'], { encoding: 'utf8' }).stdout);
  for (const folder of folders) chownSync(folder, id('-u'), id('-g'));
  return ['--user=mysql'];
}

async function answers(url: string): Promise<boolean> {
  return query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
}
