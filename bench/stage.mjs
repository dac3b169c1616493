// What a measurement needs around it: a private MariaDB, the built service as in production, the floor, and a driver.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

/** The tests' own support is TypeScript, which Node 20 does not read by itself. */
async function support(name) {
  const file = fileURLToPath(new URL(`../test/support/${name}.ts`, import.meta.url));
  return (await runnerImport(file, { configFile: false, logLevel: 'error' })).module;
}

const { createDatabase, startMariaDb } = await support('mariadb');
const { inProject } = await support('gatehouse-process');
const { ManagedProcess } = await support('processes');
const { freePort } = await support('free-port');
const { removeFolder, temporaryFolder } = await support('temporary-folder');

export { createDatabase, removeFolder, startMariaDb, temporaryFolder };

export const SECRETS = {
  PASSWORD_KEY: 'key-of-the-previous-generation',
  JWT_SECRET: 'a-secret-for-tokens-that-is-long-enough',
  GM_SECRET: 'a-secret-for-gm-commands',
};

export const GAME_SERVER_ADDRESS = '198.51.100.7';

// Loopback is no game server here, so that the requests of the bench are counted; the limit itself is out of reach.
const SETTINGS = `
game_server_ips: ["${GAME_SERVER_ADDRESS}"]
rate_limit: { per_minute: 1000000000 }
`;

export async function migrate(database) {
  const migration = new ManagedProcess('node', [inProject('dist/migrate.js')], {
    cwd: inBench('.'),
    env: {
      DATABASE_URL: database.url,
      SETTINGS_FILE: inProject('config/settings.yaml'),
      AGREEMENT_FILE: inProject('config/agreement.html'),
      ...SECRETS,
    },
  });
  if ((await migration.exit) !== 0) throw migration.failure('failed');
}

/** One worker with every guard and its log on, written to a file as it would be anywhere. */
export async function startService(database) {
  const port = String(await freePort());
  const folder = temporaryFolder('bench');
  const [settings, log] = [join(folder, 'settings.yaml'), join(folder, 'log')];
  writeFileSync(settings, SETTINGS);
  const startedAt = performance.now();
  // A shell that becomes the service: a pipe would have this process read each line of the log.
  const command = ['-c', 'exec node "$0" > "$1"', inProject('dist/main.js'), log];
  const service = new ManagedProcess('sh', command, {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: port,
      DATABASE_URL: database.url,
      SETTINGS_FILE: settings,
      AGREEMENT_FILE: inProject('config/agreement.html'),
      ...SECRETS,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await service
    .waitUntil(() => isReady(url), 30_000)
    .catch((error) => {
      throw new Error(`${error.message}\n${readFileSync(log, 'utf8')}`);
    });
  const readyMs = performance.now() - startedAt;
  const stop = async () => {
    await service.stop();
    removeFolder(folder);
  };
  return { pid: service.pid, url, readyMs, stop };
}

export async function startFloor(database) {
  const port = String(await freePort());
  const startedAt = performance.now();
  const floor = new ManagedProcess('node', [inBench('floor.mjs')], {
    env: { DATABASE_URL: database.url, PORT: port, NODE_ENV: 'production', ...SECRETS },
  });
  await floor.waitForLine(/listening/);
  const readyMs = performance.now() - startedAt;
  const url = `http://127.0.0.1:${port}`;
  return { pid: floor.pid, url, readyMs, stop: () => floor.stop() };
}

/** Drives a URL at full speed with wrk; refuses a run in which anything but success was answered. */
export async function drive(url, seconds, script, ...args) {
  const load = ['-t1', '-c16', '--timeout', '10s', `-d${seconds}s`];
  const wrk = new ManagedProcess('wrk', [...load, '-s', inBench(script), url, '--', ...args]);
  const status = await wrk.exit;
  const [, counted] = /^COUNTED (.*)$/m.exec(wrk.output) ?? [];
  if (status !== 0 || !counted) throw wrk.failure('failed; on Debian, apt install wrk brings it');
  const { requests, errors, microseconds, p50, p99 } = JSON.parse(counted);
  if (errors > 0) throw wrk.failure('met with errors');
  return { requests, seconds: microseconds / 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
}

export function memoryMb(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) / 1024;
}

export function processorMs(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15);
  return (Number(user) + Number(system)) * 10;
}

export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function isReady(url) {
  const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

function inBench(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}
