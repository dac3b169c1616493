import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { parseEnvironment } from '../../dist/platform/config/parse-environment.js';
import { createMigrationDataSource } from '../../dist/platform/database/data-source.js';
import { migrate, withDataSource } from '../../dist/platform/database/migrate.js';

// The test helpers are TypeScript, which Node 20 cannot import.
const file = fileURLToPath(new URL('from-tests.mjs', import.meta.url));
const { module: helpers } = await runnerImport(file, { configFile: false, logLevel: 'error' });

const SECRETS = {
  PASSWORD_KEY: 'only-for-the-schema',
  JWT_SECRET: 'only-for-the-schema-and-32-bytes-long',
  GM_SECRET: 'only-for-the-schema-too',
};

/** Returns the schema as each database reports it after all migrations, on private servers. */
export async function schemas() {
  return {
    'schema-embedded.sql': await schemaOf({}, 'SELECT sqlite_version() AS version'),
    'schema-mariadb.sql': await onServer(helpers.startMariaDb),
    'schema-mysql.sql': await onServer(helpers.startMySql),
  };
}

async function onServer(start) {
  const server = await start();
  try {
    const { url } = await helpers.createDatabase(server.rootUrl);
    return await schemaOf({ DATABASE_URL: url, ...SECRETS }, 'SELECT VERSION() AS version');
  } finally {
    await server.stop();
  }
}

async function schemaOf(variables, versionQuery) {
  const folder = helpers.temporaryDataFolder('release');
  try {
    const environment = parseEnvironment({ DATA_DIR: folder, ...variables });
    await migrate(environment);
    return await withDataSource(createMigrationDataSource(environment), async (dataSource) => {
      const [{ version }] = await dataSource.query(versionQuery);
      const { names: _migrations, ...tables } = await helpers.dumpSchema(dataSource);
      const statements = Object.entries(tables)
        // SQLite has no statement for the index of a primary key.
        .filter(([, sql]) => sql)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, sql]) => `${sql};\n`);
      return [`-- ${version}\n`, ...statements].join('\n');
    });
  } finally {
    helpers.removeFolder(folder);
  }
}
