// What a measurement needs around it: a private MariaDB, the built service as in production, the floor, and the game.
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

// Loopback is no game server here, so that the requests of the bench are counted; the limit itself is out of reach.
const SETTINGS = `
game_server_ips: ["${GAME_SERVER_ADDRESS}"]
rate_limit: { per_minute: 1000000000 }
chat: { open: true }
`;

/** As large as a server's, where the tests' own are small: pages that are written out again and again are no part of this. */
export function startMariaDb({ pool = '1G', log = '256M' } = {}) {
  const args = [
    `--innodb-buffer-pool-size=${pool}`,
    `--innodb-log-file-size=${log}`,
    // For filling in bulk, which sorts in it: with the default of 1 MB it takes twice as long.
    '--innodb-sort-buffer-size=64M',
  ];
  return support.startMariaDb({ args });
}

/** MySQL's own server, which MYSQLD names, of the same size. */
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

/** The service with every guard and its log on, written to a file as it would be anywhere. */
export async function startService({ env }, game) {
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

/** The desk of a service that runs, in a process of its own as always. */
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

/** The game server double with the database of its server, in a process of its own. */
export async function startGame() {
  const game = new ManagedProcess('node', [inBench('game.mjs')], { env: SECRETS });
  const [, told] = await game.waitForLine(/^listening (.*)$/, 60_000);
  return { ...JSON.parse(told), stop: () => game.stop() };
}

async function isReady(url) {
  const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}
