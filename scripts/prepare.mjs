// Runs before `npm start` and `npm test`: installs and builds what a fresh clone lacks, and does nothing when nothing changed.
// Plain Node without dependencies, because it runs before there are any.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTestPrograms } from './test-programs.mjs';

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

requireNode(20, 19);
await sideBySide(packages, install);
if (process.argv.includes('--tests')) installTestPrograms({ say, fail });
await sideBySide(builds, build);
// A commit that changes no source still names the build.
node('scripts/build-info.mjs');

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`Gatehouse needs Node ${major}.${minor} or later; this is ${process.versions.node}.`);
}

/** As many at a time as there are cores, since each keeps one busy. After a failure nothing more is begun. */
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

async function install(folder) {
  const stamp = join(root, folder, 'node_modules', '.installed');
  const wanted = `${process.platform}-${process.arch} ${hashOf(folder, ['package-lock.json'])}`;
  if (isUpToDate(stamp, wanted)) return;

  say(`Installing the packages of ${nameOf(folder)} …`);
  // The build needs the development packages, which NODE_ENV=production would leave out.
  await npm(folder, ['ci', '--include=dev', '--ignore-scripts', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

async function build({ name, folder, script, inputs, output }) {
  const stamp = join(root, folder, output, '.built');
  const wanted = hashOf(folder, inputs);
  if (isUpToDate(stamp, wanted)) return;

  say(`Building ${name} …`);
  await npm(folder, ['run', script, '--silent']);
  writeFileSync(stamp, wanted);
}

async function npm(folder, args) {
  const child = spawn('npm', args, {
    cwd: join(root, folder),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`npm ${args.join(' ')} of ${nameOf(folder)} failed.`);
}

function nameOf(folder) {
  return folder === '.' ? 'the service' : folder;
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
