// `node bench/import.mjs --players 10000000`: the whole evening of docs/import.md with so many old players, with times.
// Old, new and game's databases are in one private MariaDB, set up as a server is; what they hold is removed at the end.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeOldGeneration, fillOldGeneration, MAP, PATTERN } from './old-generation.mjs';
import { SECRETS } from './stage.mjs';
import * as support from './support.mjs';

const { createDatabase, inProject, ManagedProcess, removeFolder, temporaryFolder } = support;
const TICKS_A_SECOND = 100;

const { values: given } = parseArgs({
  options: {
    players: { type: 'string', default: '1000000' },
    pool: { type: 'string', default: '4G' },
  },
});
const players = Number(given.players);

// Durable, as nobody would run it otherwise: the tests' own server writes nothing through.
const mariadb = await support.startMariaDb({
  args: [
    `--innodb-buffer-pool-size=${given.pool}`,
    '--innodb-log-file-size=1G',
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-flush-method=O_DIRECT',
    '--innodb-doublewrite=1',
    '--innodb-sort-buffer-size=64M',
  ],
});
const folder = temporaryFolder('import');
writeFileSync(join(folder, 'map.yaml'), MAP);
writeFileSync(join(folder, 'settings.yaml'), `game_database: { pattern: "${PATTERN}" }`);
const { url } = await createDatabase(mariadb.rootUrl);
const env = {
  ...SECRETS,
  DATABASE_URL: url,
  GAME_DATABASE_URL: mariadb.rootUrl,
  SETTINGS_FILE: join(folder, 'settings.yaml'),
  AGREEMENT_FILE: inProject('config/agreement.html'),
};

const begun = performance.now();
await fillOldGeneration(mariadb.rootUrl, players);
console.log(`${players} old players made in ${seconds(performance.now() - begun)} s`);
const rows = [];
for (const [step, ...args] of [
  ['--check', '--check'],
  ['--run', '--run'],
  ['--run, nothing changed', '--run'],
  ['--run, delta', '--run'],
  ['--verify', '--verify'],
]) {
  if (step === '--run, delta') await changeOldGeneration(mariadb.rootUrl, players);
  rows.push(await runStep(step, args));
}
console.table(rows);
await mariadb.stop();
removeFolder(folder);

async function runStep(step, args) {
  const load = loadavg()[0].toFixed(1);
  const before = processorSeconds(mariadb.pid);
  const start = performance.now();
  const files = ['--map', join(folder, 'map.yaml'), '--report', join(folder, 'report')];
  const line = [inProject('dist/gatehouse.js'), 'import', '--from', `${mariadb.rootUrl}/old`];
  const command = new ManagedProcess('node', [...line, ...files, ...args], { cwd: folder, env });
  let processor = 0;
  let memory = 0;
  const watch = setInterval(() => {
    try {
      processor = processorSeconds(command.pid);
      memory = peakMegabytes(command.pid);
    } catch {
      // It has ended.
    }
  }, 200);
  const status = await command.exit;
  clearInterval(watch);
  console.log(`\n${step} (${status})\n${command.output}`);
  return {
    step,
    clock: seconds(performance.now() - start),
    command: Math.round(processor),
    database: Math.round(processorSeconds(mariadb.pid) - before),
    'peak MB': memory,
    'load before': load,
  };
}

function processorSeconds(pid) {
  // The name of the program, in brackets, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function peakMegabytes(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kilobytes) / 1024);
}

function seconds(milliseconds) {
  return Math.round(milliseconds / 1000);
}
