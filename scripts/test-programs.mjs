// Finds and installs the programs that the tests need besides Node.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inDebian = (name, packages = name) => ({ name, packages, find: () => findProgram(name) });

const MARIADB = inDebian('mariadbd', 'mariadb-server');
const REDIS = inDebian('redis-server');
const NGINX = inDebian('nginx', 'nginx-light');
const GIT = inDebian('git');
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
/** A library has no program to look for, so one of its files shows that it is installed. */
const library = (packages, file) => ({ name: packages, packages, find: () => findFile(file) });
const DOCKER = {
  name: 'root with ../shared/engines/docker',
  find: () => process.getuid?.() === 0 && findFile(join(root, '../shared/engines/docker')),
  remedy: 'start the Compose files by hand (docs/operations.md)',
};

/** Lists the Vitest projects of `npm test` and of `npm run test:full`. */
export const PROJECTS = {
  test: [
    { project: 'unit', tests: 'functions and classes', needs: [] },
    { project: 'embedded', tests: 'the API on the embedded database', needs: [] },
    { project: 'processes', tests: 'the built service', needs: [] },
    { project: 'mariadb', tests: 'the API on MariaDB', needs: [MARIADB] },
    { project: 'browser', tests: 'the main journeys in a browser', needs: [CHROMIUM] },
  ],
  full: [
    { project: 'mysql', tests: 'the API on MySQL', needs: [MYSQL, REDIS, NGINX, GIT] },
    { project: 'browser-details', tests: 'the details of the pages', needs: [CHROMIUM, REDIS] },
    { project: 'import', tests: 'the import', needs: [MARIADB] },
    {
      project: 'fleet',
      tests: 'several instances, faults and nginx',
      needs: [
        MARIADB,
        REDIS,
        NGINX,
        GIT,
        inDebian('openssl'),
        inDebian('promtool', 'prometheus'),
        inDebian('systemd-analyze', 'systemd'),
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
        // Galera copies data to a new node with these three programs.
        inDebian('rsync'),
        inDebian('lsof'),
        inDebian('socat'),
      ],
    },
    {
      project: 'examples',
      tests: 'the examples for game servers in Lua, PHP, Java, Go and C#',
      needs: [
        inDebian('lua5.4'),
        library('lua-socket', '/usr/share/lua/5.4/socket.lua'),
        library('lua-luaossl', '/usr/share/lua/5.4/openssl/hmac.lua'),
        library('lua-cjson', '/usr/share/lua/5.4/cjson/util.lua'),
        inDebian('php', 'php-cli'),
        inDebian('javac', 'default-jdk-headless'),
        library('libgoogle-gson-java', '/usr/share/java/gson.jar'),
        inDebian('go', 'golang-go'),
        inDebian('mcs', 'mono-mcs'),
        library('libmono-system-net-http4.0-cil', '/usr/lib/mono/4.5/System.Net.Http.dll'),
        library(
          'libmono-system-runtime-serialization4.0-cil',
          '/usr/lib/mono/4.5/System.Runtime.Serialization.dll',
        ),
      ],
    },
    { project: 'mysql-cluster', tests: 'group replication', needs: [MYSQL] },
    { project: 'node-versions', tests: 'Node 22 and 24', needs: [] },
    { project: 'images', tests: 'the Compose files', needs: [DOCKER] },
  ],
};

/** Maps each program that these projects need to its path, if it is installed. */
export function findPrograms(projects) {
  const programs = new Set(projects.flatMap(({ needs }) => needs));
  return new Map([...programs].map((program) => [program, pathOf(program)]));
}

const pathOf = ({ variable, find }) => (variable && process.env[variable]) || find();

/**
 * Installs missing programs if `install` is available. Announces the installation first, because it
 * changes the machine. Programs whose installation fails count as missing.
 */
export function installMissing(found, { isAllowed, install = findInstaller() }) {
  const missing = [...found.keys()].filter((program) => program.packages && !found.get(program));
  if (missing.length === 0 || !install || !isAllowed) return;

  const packages = missing.flatMap((program) => program.packages.split(' '));
  console.log(
    `The tests need programs that are not installed. As root, this run now installs the Debian packages ${packages.join(', ')} ` +
      `with apt-get; it starts none of their services. To install nothing, pass --no-install (npm test -- --no-install).`,
  );
  install(packages);
  for (const program of missing) found.set(program, pathOf(program));
}

/** Only root can install packages, and only Debian's package names are known. */
function findInstaller() {
  return process.getuid?.() === 0 && findProgram('apt-get') ? installPackages : undefined;
}

function installPackages(packages) {
  withoutStartingServices(() => {
    apt('update', '-qq');
    const { status, output } = apt('install', '-y', '--no-install-recommends', ...packages);
    if (status !== 0) console.error(output);
  });
}

// Debian starts a service as soon as it is installed, but the tests start private services on free
// ports.
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

/** Finds MySQL's own mysqld, because MariaDB installs a program with the same name. */
function findMysqld() {
  const path = findProgram('mysqld');
  if (!path) return undefined;
  const { stdout } = spawnSync(path, ['--no-defaults', '--version'], { encoding: 'utf8' });
  return stdout && !stdout.includes('MariaDB') ? path : undefined;
}
