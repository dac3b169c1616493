// What a measurement needs around it: a private MariaDB, the built service, the floor, and a driver.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

/** The tests' own support is TypeScript, which Node 20 does not read by itself. */
async function support(name) {
  const file = fileURLToPath(new URL(`../test/support/${name}.ts`, import.meta.url));
  return (await runnerImport(file, { configFile: false, logLevel: 'error' })).module;
}

const { createDatabase, startMariaDb } = await support('mariadb');
const { startGatehouse } = await support('gatehouse-process');
const { ManagedProcess } = await support('processes');
const { freePort } = await support('free-port');

export { createDatabase, startMariaDb };

export function startService(database) {
  return startGatehouse({
    DATABASE_URL: database.url,
    PASSWORD_KEY: 'key-of-the-previous-generation',
    JWT_SECRET: 'a-secret-for-tokens-that-is-long-enough',
    GM_SECRET: 'a-secret-for-gm-commands',
  });
}

export async function startFloor(database) {
  const port = String(await freePort());
  const floor = new ManagedProcess('node', [inBench('floor.mjs')], {
    env: { DATABASE_URL: database.url, PORT: port, NODE_ENV: 'production' },
  });
  await floor.waitForLine(/listening/);
  return { pid: floor.pid, url: `http://127.0.0.1:${port}`, stop: () => floor.stop() };
}

/** Drives a URL at full speed with wrk, which must be installed; refuses a run in which anything but success was answered. */
export async function drive(url, seconds, script, ...args) {
  const options = [
    '-t1',
    '-c16',
    '--timeout',
    '10s',
    `-d${seconds}s`,
    '-s',
    inBench(script),
    url,
    '--',
    ...args,
  ];
  const wrk = new ManagedProcess('wrk', options);
  if ((await wrk.exit) !== 0 || /Non-2xx|Socket errors/.test(wrk.output))
    throw wrk.failure('met with errors');
}

export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

function inBench(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}
