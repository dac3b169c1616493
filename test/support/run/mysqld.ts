import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Mysqld {
  readonly path: string;
  /** Such as `9.7.4`. */
  readonly version: string;
}

let found: Mysqld | null | undefined;

/** MySQL's own server: the one that `MYSQLD` names, or a `mysqld` on the path that is not MariaDB's. */
export function findMysqld(): Mysqld | undefined {
  found ??=
    candidates()
      .map(describe)
      .find((mysqld) => mysqld !== null) ?? null;
  return found ?? undefined;
}

function candidates(): string[] {
  // Named but not usable is a mistake to be told, not a reason to look elsewhere.
  if (process.env.MYSQLD) return [process.env.MYSQLD];
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  return folders.map((folder) => join(folder, 'mysqld')).filter((path) => existsSync(path));
}

function describe(path: string): Mysqld | null {
  const { stdout, error } = spawnSync(path, ['--no-defaults', '--version'], { encoding: 'utf8' });
  const version = /Ver (\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1];
  if (process.env.MYSQLD && (error || !version || stdout.includes('MariaDB')))
    throw new Error(`MYSQLD=${path} is not MySQL's server: ${error?.message ?? stdout}`);
  return version && !stdout.includes('MariaDB') ? { path, version } : null;
}
