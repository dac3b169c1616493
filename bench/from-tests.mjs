// What the bench has from the tests' support. Read through Vite, by support.mjs and nobody else.
export { freePort } from '../test/support/free-port.ts';
export { FakeGameServer } from '../test/support/game-server.ts';
export { GameWorld } from '../test/support/game-world.ts';
export { inProject } from '../test/support/gatehouse-process.ts';
export { createDatabase, startMariaDb } from '../test/support/mariadb.ts';
export { startNginx } from '../test/support/nginx.ts';
export { childrenOf } from '../test/support/process-tree.ts';
export { ManagedProcess } from '../test/support/processes.ts';
export { removeFolder, temporaryFolder } from '../test/support/temporary-folder.ts';
