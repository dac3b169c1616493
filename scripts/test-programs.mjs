// The programs that the tests need besides Node, and how to install them.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inDebian = (name, packages = name) => ({ name, packages, find: () => findProgram(name) });

const MARIADB = inDebian('mariadbd', 'mariadb-server');
const REDIS = inDebian('redis-server');
const CHROMIUM = {
  ...inDebian('chromium-headless-shell', 'chromium-headless-shell fonts-wqy-zenhei'),
  variable: 'CHROMIUM',
  find: () => findProgram('chromium-headless-shell', 'chromium', 'google-chrome'),
  remedy: 'set CHROMIUM to the path of Chromium or Chrome',
};
const MYSQL = {
  name: "MySQL's mysqld",
  variable: 'MYSQLD',
  find: findMysqld,
  remedy: "set MYSQLD to the path of MySQL's own server",
};
const DOCKER = {
  name: 'root with ../shared/engines/docker',
  find: () => process.getuid?.() === 0 && findFile(join(root, '../shared/engines/docker')),
  remedy: 'start the Compose files by hand (docs/operations.md)',
};

/** The Vitest projects of `npm test` and of `npm run test:full`. */
export const PROJECTS = {
  test: [
    { project: 'unit', tests: 'functions and classes', needs: [] },
    { project: 'embedded', tests: 'the API on the embedded database', needs: [] },
    { project: 'processes', tests: 'the built service', needs: [] },
    { project: 'mariadb', tests: 'the API on MariaDB', needs: [MARIADB] },
    { project: 'browser', tests: 'the main journeys in a browser', needs: [CHROMIUM] },
  ],
  full: [
    { project: 'mysql', tests: 'the API on MySQL', needs: [MYSQL] },
    { project: 'browser-details', tests: 'the details of the pages', needs: [CHROMIUM, REDIS] },
    { project: 'import', tests: 'the import', needs: [MARIADB] },
    {
      project: 'fleet',
      tests: 'several instances, faults and nginx',
      needs: [
        MARIADB,
        REDIS,
        inDebian('nginx', 'nginx-light'),
        inDebian('openssl'),
        inDebian('promtool', 'prometheus'),
      ],
    },
    {
      project: 'cluster',
      tests: 'clusters of databases and of Redis',
      needs: [
        MARIADB,
        REDIS,
        inDebian('redis-sentinel'),
        inDebian('haproxy'),
        inDebian('libgalera_smm.so', 'galera-4'),
        // Galera copies data to a new node with these three.
        inDebian('rsync'),
        inDebian('lsof'),
        inDebian('socat'),
      ],
    },
    { project: 'mysql-cluster', tests: 'group replication', needs: [MYSQL] },
    { project: 'node-versions', tests: 'Node 22 and 24', needs: [] },
    { project: 'images', tests: 'the Compose files', needs: [DOCKER] },
  ],
};

/** Each program that these projects need, with its path if it is installed. */
export function findPrograms(projects) {
  const programs = new Set(projects.flatMap(({ needs }) => needs));
  return new Map([...programs].map((program) => [program, pathOf(program)]));
}

const pathOf = ({ variable, find }) => (variable && process.env[variable]) || find();

/** Installs missing Debian packages as root. If that fails, the programs count as missing. */
export function installMissing(found) {
  const missing = [...found.keys()].filter((program) => program.packages && !found.get(program));
  if (missing.length === 0 || process.getuid?.() !== 0 || !findProgram('apt-get')) return;

  const packages = missing.flatMap((program) => program.packages.split(' '));
  console.log(`Installing ${packages.join(', ')} for the tests …`);
  withoutStartingServices(() => {
    apt('update', '-qq');
    const { status, output } = apt('install', '-y', '--no-install-recommends', ...packages);
    if (status !== 0) console.error(output);
  });
  for (const program of missing) found.set(program, pathOf(program));
}

// Debian starts a service as soon as it is installed; the tests start private ones on free ports.
function withoutStartingServices(action) {
  const policy = '/usr/sbin/policy-rc.d';
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const removePolicy = () => ours && rmSync(policy, { force: true });
  process.once('exit', removePolicy);
  action();
  removePolicy();
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const findFile = (path) => (existsSync(path) ? path : undefined);

function findProgram(...names) {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    // On Debian, the PATH of an ordinary user lacks the sbin folders.
    '/usr/local/sbin',
    '/usr/sbin',
    '/usr/lib/galera',
    '/usr/lib64/galera-4',
  ];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(findFile);
}

/** The mysqld of MariaDB does not count. */
function findMysqld() {
  const path = findProgram('mysqld');
  if (!path) return undefined;
  const { stdout } = spawnSync(path, ['--no-defaults', '--version'], { encoding: 'utf8' });
  return stdout && !stdout.includes('MariaDB') ? path : undefined;
}
