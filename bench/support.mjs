// The benchmark's test helpers are TypeScript, which Node 20 cannot import.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

export function inBench(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}

const { module } = await runnerImport(inBench('from-tests.mjs'), {
  configFile: false,
  logLevel: 'error',
});

export const {
  createDatabase,
  findDifferences,
  freePort,
  FakeGameServer,
  GameWorld,
  inProject,
  ManagedProcess,
  removeFolder,
  startMariaDb,
  startMySql,
  startNginx,
  temporaryFolder,
  UglyDatabase,
  uglyMap,
} = module;
