// `node bench/import.mjs --players 1000000` runs all steps of docs/import.md on the tests' `UglyDatabase` with
// that many players, times each step, and compares the result. The old, new and game databases share one private
// MariaDB.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { SECRETS } from './stage.mjs';
import * as support from './support.mjs';

const { createDatabase, inProject, ManagedProcess, removeFolder, temporaryFolder } = support;
const TICKS_PER_SECOND = 100;
const OLD = 'old';
const GAMES = ['game_s1', 'game_s2', 'game_s3'];

const { values: given } = parseArgs({
  options: {
    players: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    pool: { type: 'string', default: '4G' },
  },
});
const players = Number(given.players);

// Commits are durable, as in production. The tests' own server does not flush to disk.
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
writeFileSync(join(folder, 'map.yaml'), support.uglyMap());
writeFileSync(join(folder, 'settings.yaml'), 'game_database: { pattern: "game_s{server_id}" }');
const { name: here, url } = await createDatabase(mariadb.rootUrl);
const env = {
  ...SECRETS,
  DATABASE_URL: url,
  GAME_DATABASE_URL: mariadb.rootUrl,
  SETTINGS_FILE: join(folder, 'settings.yaml'),
  AGREEMENT_FILE: inProject('config/agreement.html'),
};

const fillStarted = performance.now();
const connection = await createConnection({
  uri: mariadb.rootUrl,
  charset: 'utf8mb4',
  multipleStatements: true,
});
for (const name of [...GAMES, OLD]) await connection.query(`CREATE DATABASE ${name}`);
await connection.query(`USE ${OLD}`);
const key = SECRETS.PASSWORD_KEY;
const old = new support.UglyDatabase(connection, GAMES, key, Number(given.seed));
await old.fill(players);
console.log(`created ${players} old players in ${seconds(performance.now() - fillStarted)} s`);
const rows = [];
for (const [step, ...args] of [
  ['--check', '--check'],
  ['--run', '--run'],
  ['--run again', '--run'],
  ['--verify', '--verify', '--try', old.knownPassword, '--accept', join(folder, 'report/run.csv')],
]) {
  if (step === '--run again') await old.change();
  rows.push(await runStep(step, args));
}
console.table(rows);
const differences = await support.findDifferences(connection, here, old);
console.log(`differences: ${differences.length}`, differences.slice(0, 30));
if (differences.length > 0) process.exitCode = 1;
await connection.end();
await mariadb.stop();
removeFolder(folder);

async function runStep(step, args) {
  const load = loadavg()[0].toFixed(1);
  const cpuBefore = cpuSeconds(mariadb.pid);
  const start = performance.now();
  const files = ['--map', join(folder, 'map.yaml'), '--report', join(folder, 'report')];
  const line = [inProject('dist/gatehouse.js'), 'import', '--from', `${mariadb.rootUrl}/${OLD}`];
  const command = new ManagedProcess('node', [...line, ...files, ...args], { cwd: folder, env });
  let cpu = 0;
  let memory = 0;
  const watch = setInterval(() => {
    try {
      cpu = cpuSeconds(command.pid);
      memory = peakMegabytes(command.pid);
    } catch {
      // The process has exited.
    }
  }, 200);
  const status = await command.exit;
  clearInterval(watch);
  if (status !== 0) process.exitCode = 1;
  console.log(`\n${step} (exit status ${status})\n${command.output}`);
  return {
    step,
    seconds: seconds(performance.now() - start),
    'command CPU, s': Math.round(cpu),
    'database CPU, s': Math.round(cpuSeconds(mariadb.pid) - cpuBefore),
    'peak MB': memory,
    'load before': load,
  };
}

function cpuSeconds(pid) {
  // Skips the program name, which may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function peakMegabytes(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kilobytes) / 1024);
}

function seconds(milliseconds) {
  return Math.round(milliseconds / 1000);
}
