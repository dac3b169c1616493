// The benchmark uses these test helpers. Import the helpers from support.mjs, which compiles this
// file with Vite.
export { freePort } from '../test/support/servers/free-port.ts';
export { FakeGameServer } from '../test/support/api/game-server.ts';
export { GameWorld } from '../test/support/api/game-world.ts';
export { findDifferences } from '../test/support/import/independent-verifier.ts';
export { UglyDatabase, uglyMap } from '../test/support/import/ugly-database.ts';
export { inProject } from '../test/support/servers/gatehouse-process.ts';
export { createDatabase, startMariaDb } from '../test/support/servers/mariadb.ts';
export { startMySql } from '../test/support/servers/mysql.ts';
export { startNginx } from '../test/support/servers/nginx.ts';
export { ManagedProcess } from '../test/support/servers/processes.ts';
export { removeFolder, temporaryFolder } from '../test/support/servers/temporary-folder.ts';
