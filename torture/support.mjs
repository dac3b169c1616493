// The torture test's helpers are TypeScript, which Node 20 cannot import.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

function inTorture(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}

const { module } = await runnerImport(inTorture('from-tests.mjs'), {
  configFile: false,
  logLevel: 'error',
});

export const {
  areInStep,
  createDatabase,
  FAULTS,
  freePort,
  FakeGameServer,
  GameWorld,
  inProject,
  isolate,
  MailServer,
  ManagedProcess,
  PlainForum,
  QUERY_OP,
  removeFolder,
  seededRandom,
  signalIfRunning,
  spawnGatehouse,
  startGalera,
  startMariaDb,
  startMySql,
  startNginx,
  startRedis,
  takeTurn,
  temporaryFolder,
  until,
} = module;
