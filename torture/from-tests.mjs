// What the torture has from the tests' support. Read through Vite, by support.mjs and nobody else.
export { freePort } from '../test/support/free-port.ts';
export { FAULTS, FakeGameServer, QUERY_OP } from '../test/support/game-server.ts';
export { areInStep, isolate, startGalera, takeTurn } from '../test/support/galera.ts';
export { GameWorld } from '../test/support/game-world.ts';
export { inProject, spawnGatehouse } from '../test/support/gatehouse-process.ts';
export { startMySql } from '../test/support/mysql.ts';
export { PlainForum } from '../test/support/plain-forum.ts';
export { createDatabase, startMariaDb } from '../test/support/mariadb.ts';
export { startNginx } from '../test/support/nginx.ts';
export { ManagedProcess } from '../test/support/processes.ts';
export { childrenOf, signalIfRunning } from '../test/support/process-tree.ts';
export { startRedis } from '../test/support/redis.ts';
export { seededRandom } from '../test/support/seeded-random.ts';
export { MailServer } from '../test/support/smtp.ts';
export { removeFolder, temporaryFolder } from '../test/support/temporary-folder.ts';
export { until } from '../test/support/until.ts';
