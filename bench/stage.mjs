// Starts the processes of a benchmark: a private database, the built service, the floor and the game server.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as support from './support.mjs';

const { freePort, inBench, inProject, ManagedProcess, removeFolder, temporaryFolder } = support;

export const SECRETS = {
  PASSWORD_KEY: 'key-of-the-previous-generation',
  JWT_SECRET: 'a-secret-for-tokens-that-is-long-enough',
  GM_SECRET: 'a-secret-for-gm-commands',
};

export const GAME_SERVER_ADDRESS = '198.51.100.7';

// These settings do not list loopback as a game server, so that rate limiting applies. The limit is
// too high to be reached.
const SETTINGS = `
game_server_ips: ["${GAME_SERVER_ADDRESS}"]
rate_limit: { per_minute: 1000000000 }
chat: { open: true }
`;

/**
 * The buffers have production size, because with the tests' small buffers the benchmark would
 * measure page flushes.
 */
export function startMariaDb({ pool = '1G', log = '256M' } = {}) {
  const args = [
    `--innodb-buffer-pool-size=${pool}`,
    `--innodb-log-file-size=${log}`,
    // With the default of 1 MB, bulk loading takes twice as long.
    '--innodb-sort-buffer-size=64M',
  ];
  return support.startMariaDb({ args });
}

/** Starts the MySQL server whose path is in MYSQLD. */
export function startMySql() {
  return support.startMySql([
    '--skip-log-bin',
    '--innodb-buffer-pool-size=1G',
    '--innodb-redo-log-capacity=512M',
  ]);
}

export async function migrate(env) {
  const files = {
    SETTINGS_FILE: inProject('config/settings.yaml'),
    AGREEMENT_FILE: inProject('config/agreement.html'),
  };
  const migration = new ManagedProcess('node', [inProject('dist/gatehouse.js'), 'migrate'], {
    cwd: inBench('.'),
    env: { ...files, ...env },
  });
  if ((await migration.exit) !== 0) throw migration.failure('failed');
}

/** Starts the service as in production, with its log in a file. */
export async function startService({ env }, game) {
  const port = String(await freePort());
  const folder = temporaryFolder('bench');
  const [settings, log] = [join(folder, 'settings.yaml'), join(folder, 'log')];
  writeFileSync(settings, SETTINGS);
  const startedAt = performance.now();
  // A shell redirects the output to the file. With a pipe, this process would have to read the log.
  const command = ['-c', 'exec node "$0" > "$1"', inProject('dist/main.js'), log];
  const service = new ManagedProcess('sh', command, {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: port,
      DESK_PORT: '0',
      GAME_DATABASE_URL: game.databaseUrl,
      SETTINGS_FILE: settings,
      AGREEMENT_FILE: inProject('config/agreement.html'),
      ...env,
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

export async function startDesk({ env }, game, service) {
  const port = String(await freePort());
  const folder = temporaryFolder('bench-desk');
  const settings = join(folder, 'settings.yaml');
  writeFileSync(settings, SETTINGS);
  const desk = new ManagedProcess('node', [inProject('dist/desk.js')], {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: new URL(service.url).port,
      DESK_HOST: '127.0.0.1',
      DESK_PORT: port,
      GAME_DATABASE_URL: game.databaseUrl,
      SETTINGS_FILE: settings,
      AGREEMENT_FILE: inProject('config/agreement.html'),
      ...env,
    },
  });
  await desk.waitForLine(/the desk listens/, 30_000);
  const stop = async () => {
    await desk.stop();
    removeFolder(folder);
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

export async function startFloor({ env }, game) {
  const port = String(await freePort());
  const floor = new ManagedProcess('node', [inBench('floor.mjs')], {
    env: { PORT: port, NODE_ENV: 'production', GAME_DATABASE_URL: game.databaseUrl, ...env },
  });
  await floor.waitForLine(/listening/);
  return { pid: floor.pid, url: `http://127.0.0.1:${port}`, stop: () => floor.stop() };
}

export async function startGame() {
  const game = new ManagedProcess('node', [inBench('game.mjs')], { env: SECRETS });
  const [, details] = await game.waitForLine(/^listening (.*)$/, 60_000);
  return { ...JSON.parse(details), stop: () => game.stop() };
}

async function isReady(url) {
  const response = await fetch(`${url}/api/health/ready`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}
