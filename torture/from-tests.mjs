// The torture test uses these test helpers. Import the helpers from support.mjs, which compiles this file with
// Vite.
export { freePort } from '../test/support/servers/free-port.ts';
export { FAULTS, FakeGameServer, QUERY_OP } from '../test/support/api/game-server.ts';
export { areInStep, isolate, startGalera, takeTurn } from '../test/support/servers/galera.ts';
export { GameWorld } from '../test/support/api/game-world.ts';
export { inProject, spawnGatehouse } from '../test/support/servers/gatehouse-process.ts';
export { startMySql } from '../test/support/servers/mysql.ts';
export { PlainForum } from '../test/support/servers/plain-forum.ts';
export { createDatabase, startMariaDb } from '../test/support/servers/mariadb.ts';
export { startNginx } from '../test/support/servers/nginx.ts';
export { ManagedProcess } from '../test/support/servers/processes.ts';
export { signalIfRunning } from '../test/support/servers/process-tree.ts';
export { startRedis } from '../test/support/servers/redis.ts';
export { seededRandom } from '../test/support/seeded-random.ts';
export { MailServer } from '../test/support/servers/smtp.ts';
export { removeFolder, temporaryFolder } from '../test/support/servers/temporary-folder.ts';
export { until } from '../test/support/until.ts';
