// The programs that the tests start: found, or installed where that is possible.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Which Debian packages bring the program that a test starts.
const testPrograms = {
  mariadbd: 'mariadb-server',
  'redis-server': 'redis-server',
  'redis-sentinel': 'redis-sentinel',
  nginx: 'nginx-light',
  openssl: 'openssl',
  'chromium-headless-shell': 'chromium-headless-shell fonts-wqy-zenhei',
  // For a Galera cluster: the library, and what a node fetches its state with.
  'libgalera_smm.so': 'galera-4',
  rsync: 'rsync',
  lsof: 'lsof',
  socat: 'socat',
  haproxy: 'haproxy',
  // Its service is not started either, see below.
  promtool: 'prometheus',
};

export function installTestPrograms({ say, fail }) {
  const missing = Object.keys(testPrograms).filter((program) => !isInstalled(program));
  if (missing.length === 0) return;

  const wanted = missing.map((program) => testPrograms[program]);
  const command = `apt-get install -y --no-install-recommends ${wanted.join(' ')}`;
  if (process.getuid?.() !== 0 || !isInstalled('apt-get')) {
    fail(
      `The tests start ${missing.join(', ')}, not found on this machine.\n` +
        `On Debian or Ubuntu, as root: apt-get update && ${command}`,
    );
  }

  say(`Installing ${wanted.join(', ')} for the tests …`);
  withoutStartingServices(() => {
    // A mirror that fails here may not matter: the installation tells.
    apt(['update', '-qq']);
    const { status, output } = apt(command.split(' ').slice(1));
    if (status !== 0) fail(`${output}\n${command} failed.`);
  });
}

// Debian starts a service as soon as it is installed; the tests start their own on ports of their own.
function withoutStartingServices(action) {
  const policy = '/usr/sbin/policy-rc.d';
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const removePolicy = () => ours && rmSync(policy, { force: true });
  process.once('exit', removePolicy);
  action();
  removePolicy();
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

function isInstalled(program) {
  // Debian leaves the sbin folders out of an ordinary user's path.
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/usr/lib/galera',
    '/usr/lib64/galera-4',
  ];
  return folders.some((folder) => existsSync(join(folder, program)));
}
