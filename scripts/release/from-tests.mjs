// The release script uses these test helpers. schema.mjs compiles this file with Vite.
export { dumpSchema } from '../../test/support/migrations/schema-dump.ts';
export { createDatabase, startMariaDb } from '../../test/support/servers/mariadb.ts';
export { startMySql } from '../../test/support/servers/mysql.ts';
export { removeFolder, temporaryDataFolder } from '../../test/support/servers/temporary-folder.ts';
