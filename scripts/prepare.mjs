// Runs before `npm start` and `npm test`. Installs and builds what a fresh clone lacks, and does
// nothing if nothing changed. Uses no dependencies, because it runs before they are installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const builds = [
  {
    name: 'the service',
    script: 'build:service',
    inputs: ['src', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'scripts/bundle.mjs'],
    output: 'dist',
  },
  { name: 'the front end', script: 'build:web', inputs: frontEnd('web'), output: 'web/dist' },
  {
    name: "the operators' desk",
    script: 'build:desk',
    inputs: frontEnd('desk'),
    output: 'desk/dist',
  },
];

function frontEnd(folder) {
  const own = ['src', 'public', 'index.html', 'vite.config.ts'];
  return ['ui', ...own.map((name) => join(folder, name))];
}

requireNode(20, 19);
await install().catch((error) => fail(error.message));
await sideBySide(builds, build);
// This step always runs, because a commit without source changes still changes the build info.
node('scripts/build-info.mjs');

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`Gatehouse needs Node ${major}.${minor} or later; this is ${process.versions.node}.`);
}

/** Runs one step per core. After a failure, starts no more steps. */
async function sideBySide(steps, run) {
  const left = [...steps];
  const work = async () => {
    while (left.length > 0)
      await run(left.shift()).catch((error) => {
        left.length = 0;
        throw error;
      });
  };
  const ends = await Promise.allSettled(Array.from({ length: os.availableParallelism() }, work));
  for (const { reason } of ends) if (reason) fail(reason.message);
}

async function install() {
  const stamp = join(root, 'node_modules/.installed');
  const wanted = `${process.platform}-${process.arch} ${hashOf(['package-lock.json'])}`;
  if (isUpToDate(stamp, wanted)) return;

  say('Installing the packages …');
  // The build needs the development packages, which NODE_ENV=production would omit.
  await npm('ci', '--include=dev', '--ignore-scripts', '--loglevel=error');
  writeFileSync(stamp, wanted);
}

async function build({ name, script, inputs, output }) {
  const stamp = join(root, output, '.built');
  const wanted = hashOf([...inputs, 'package-lock.json']);
  if (isUpToDate(stamp, wanted)) return;

  say(`Building ${name} …`);
  await npm('run', script, '--silent');
  writeFileSync(stamp, wanted);
}

async function npm(...args) {
  const isWindows = process.platform === 'win32';
  const child = spawn('npm', args, { cwd: root, stdio: 'inherit', shell: isWindows });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed.`);
}

function node(script) {
  const { status } = spawnSync(process.execPath, [join(root, script)], { stdio: 'inherit' });
  if (status !== 0) fail(`${script} failed.`);
}

function isUpToDate(stamp, wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of filesIn(join(root, input))) {
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
