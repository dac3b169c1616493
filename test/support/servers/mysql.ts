import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { installData } from '../run/installed-data.js';
import { PrivateServer } from './private-server.js';
import { ManagedProcess } from './processes.js';
import { removeFolder, temporaryDataFolder } from './temporary-folder.js';

export type MySql = PrivateServer & { readonly rootUrl: string; readonly port: number };

/** These options keep files small and avoid waiting for the disk. */
const SMALL = [
  '--innodb-redo-log-capacity=16M',
  '--innodb-buffer-pool-size=64M',
  '--innodb-doublewrite=OFF',
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-flush-method=nosync',
];

const USER = process.getuid?.() === 0 ? ['--user=root'] : [];
const basicsOf = (data: string) => ['--no-defaults', ...USER, `--datadir=${data}`, ...SMALL];

function mysqldPath(): string {
  const path = process.env.MYSQLD;
  if (!path) throw new Error("set MYSQLD to the path of MySQL's own server");
  return path;
}

export async function initializeMySql(data: string): Promise<void> {
  const args = [...basicsOf(data), '--initialize-insecure'];
  const installation = new ManagedProcess(mysqldPath(), args);
  const status = await installation.exit;
  if (status !== 0) throw installation.failure(`exited (${status})`);
  // Each copy of the folder needs its own server identity.
  rmSync(join(data, 'auto.cnf'), { force: true });
}

/** Starts a private MySQL; `args` are additional options for mysqld. */
export async function startMySql(
  args: string[] = ['--skip-log-bin'],
  password = randomBytes(12).toString('hex'),
): Promise<MySql> {
  const folder = temporaryDataFolder('mysql');
  const data = join(folder, 'data');
  await installData('MYSQL', data, initializeMySql);
  const initFile = join(folder, 'init.sql');
  writeFileSync(initFile, rootByTcp(password));
  // The port is chosen after the installation because another process might take it meanwhile.
  const port = await freePort();

  const launch = async () => {
    const server = new ManagedProcess(mysqldPath(), [
      ...basicsOf(data),
      `--socket=${join(folder, 'mysql.sock')}`,
      `--pid-file=${join(folder, 'mysql.pid')}`,
      `--init-file=${initFile}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--mysqlx=OFF',
      '--secure-file-priv=',
      '--skip-name-resolve',
      '--max-connections=500',
      ...args,
    ]);
    await server.waitForLine(/ready for connections.*port: [1-9]/);
    return server;
  };

  const server = await PrivateServer.start(launch, () => removeFolder(folder));
  return Object.assign(server, { rootUrl: `mysql://root:${password}@127.0.0.1:${port}`, port });
}

// This is not written to the binary log because each group member creates the user itself.
function rootByTcp(password: string): string {
  return [
    'SET SESSION sql_log_bin = 0;',
    `CREATE USER IF NOT EXISTS 'root'@'127.0.0.1' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;`,
    '',
  ].join('\n');
}
