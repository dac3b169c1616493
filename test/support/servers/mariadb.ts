import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from './free-port.js';
import { installData } from '../run/installed-data.js';
import { PrivateServer } from './private-server.js';
import { ManagedProcess } from './processes.js';
import { removeFolder, temporaryDataFolder } from './temporary-folder.js';

export type MariaDb = PrivateServer & { readonly rootUrl: string; readonly port: number };

interface MariaDbOptions {
  /** mariadbd gets these additional options, such as `--max-connections=20`. */
  args?: string[];
  folder?: string;
}

interface TestDatabase {
  readonly name: string;
  readonly url: string;
  readonly drop: () => Promise<void>;
}

const USER = process.getuid?.() === 0 ? ['--user=root'] : [];
// Even on a busy machine, only a frozen server takes longer.
const CONNECT_TIMEOUT_MS = 20_000;

export async function startMariaDb(options: MariaDbOptions = {}): Promise<MariaDb> {
  const folder = options.folder ?? temporaryDataFolder('mariadb');
  const dataFolder = join(folder, 'data');
  const password = randomBytes(12).toString('hex');

  await installData('MARIADB', dataFolder, createOwnDataFolder);
  const initFile = join(folder, 'init.sql');
  writeFileSync(initFile, rootByTcp(password));
  // The port is chosen after the installation because another process might take it meanwhile.
  const port = await freePort();

  const launch = async () => {
    const server = new ManagedProcess('mariadbd', [
      '--no-defaults',
      ...USER,
      `--datadir=${dataFolder}`,
      // The folder is not shared because a starting server removes all temporary tables in it.
      `--tmpdir=${folder}`,
      `--socket=${join(folder, 'mariadb.sock')}`,
      `--pid-file=${join(folder, 'mariadb.pid')}`,
      `--init-file=${initFile}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--max-connections=500',
      '--innodb-buffer-pool-size=64M',
      '--innodb-log-file-size=16M',
      ...fastButSafeAgainstKill,
      ...(options.args ?? []),
    ]);
    await server.waitForLine(/ready for connections/);
    return server;
  };

  const server = await PrivateServer.start(launch, () => removeFolder(folder));
  return Object.assign(server, { rootUrl: `mysql://root:${password}@127.0.0.1:${port}`, port });
}

/** Creates an empty database with a unique name. */
export async function createDatabase(rootUrl: string): Promise<TestDatabase> {
  const name = `gatehouse_${randomBytes(6).toString('hex')}`;
  await execute(rootUrl, `CREATE DATABASE ${name}`);
  return {
    name,
    url: `${rootUrl}/${name}`,
    drop: () => execute(rootUrl, `DROP DATABASE ${name}`),
  };
}

// Commits reach the kernel without waiting for the disk, so they survive a SIGKILL but not a power failure.
const fastButSafeAgainstKill = [
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-flush-method=nosync',
  '--skip-innodb-doublewrite',
  '--skip-log-bin',
  '--sync-frm=0',
];

export const createOwnDataFolder = (folder: string) => createDataFolder(folder, USER);

export async function createDataFolder(folder: string, user: string[]): Promise<void> {
  const installation = new ManagedProcess('mariadb-install-db', [
    '--no-defaults',
    ...user,
    `--datadir=${folder}`,
    `--tmpdir=${dirname(folder)}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
  ]);
  const status = await installation.exit;
  if (status !== 0) throw installation.failure(`exited (${status})`);
}

export function rootByTcp(password: string): string {
  return [
    `CREATE OR REPLACE USER 'root'@'127.0.0.1' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;`,
    '',
  ].join('\n');
}

async function execute(url: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: CONNECT_TIMEOUT_MS });
  try {
    await connection.query('SET lock_wait_timeout = 60');
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}

/** Runs one statement on its own connection. */
export async function query(url: string, sql: string, values: unknown[] = []) {
  const connection = await createConnection({ uri: url, connectTimeout: CONNECT_TIMEOUT_MS });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql, values);
    return rows;
  } finally {
    connection.destroy();
  }
}
