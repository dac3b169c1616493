// Runs before `npm start` and `npm test`: installs and builds what a fresh clone lacks, and does nothing when nothing changed.
// Plain Node without dependencies, because it runs before there are any.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const packages = ['.', 'web', 'desk'];

const builds = [
  {
    name: 'the service',
    folder: '.',
    script: 'build:service',
    inputs: ['src', ...serviceInputs()],
    output: 'dist',
  },
  {
    name: 'the front end',
    folder: 'web',
    script: 'build',
    inputs: frontEndInputs(),
    output: 'dist',
  },
  {
    name: "the operators' desk",
    folder: 'desk',
    script: 'build',
    inputs: frontEndInputs(),
    output: 'dist',
  },
];

function serviceInputs() {
  const configuration = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];
  return [...configuration, 'scripts/bundle.mjs', 'package-lock.json'];
}

function frontEndInputs() {
  const own = ['src', 'public', 'index.html', 'vite.config.ts', 'tsconfig.json'];
  return [...own, '../web/precompress.ts', 'package-lock.json'];
}

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

requireNode(20, 19);
for (const folder of packages) install(folder);
if (process.argv.includes('--tests')) installTestPrograms();
for (const step of builds) build(step);
// A commit that changes no source still names the build.
node('scripts/build-info.mjs');

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`Gatehouse needs Node ${major}.${minor} or later; this is ${process.versions.node}.`);
}

function install(folder) {
  const stamp = join(root, folder, 'node_modules', '.installed');
  const wanted = `${process.platform}-${process.arch} ${hashOf(folder, ['package-lock.json'])}`;
  if (isUpToDate(stamp, wanted)) return;

  say(`Installing the packages of ${folder === '.' ? 'the service' : folder} …`);
  // The build needs the development packages, which NODE_ENV=production would leave out.
  npm(folder, ['ci', '--include=dev', '--ignore-scripts', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

function build({ name, folder, script, inputs, output }) {
  const stamp = join(root, folder, output, '.built');
  const wanted = hashOf(folder, inputs);
  if (isUpToDate(stamp, wanted)) return;

  say(`Building ${name} …`);
  npm(folder, ['run', script, '--silent']);
  writeFileSync(stamp, wanted);
}

function installTestPrograms() {
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

function npm(folder, args) {
  const { status } = spawnSync('npm', args, {
    cwd: join(root, folder),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail(`npm ${args.join(' ')} failed.`);
}

function node(script) {
  const { status } = spawnSync(process.execPath, [join(root, script)], { stdio: 'inherit' });
  if (status !== 0) fail(`${script} failed.`);
}

function isUpToDate(stamp, wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function hashOf(folder, inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of filesIn(join(root, folder, input))) {
      hash
        .update(`${file.slice(root.length)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesIn(join(path, name)))
    .filter((file) => !file.endsWith('.spec.ts'));
}

function say(message) {
  console.log(message);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
