// The account databases that are measured: what to tell who serves from one, and a way to ask it.
import { join } from 'node:path';
import Libsql from 'libsql';
import { createConnection } from 'mysql2/promise';
import { migrate, SECRETS } from './stage.mjs';
import { createDatabase, removeFolder, temporaryFolder } from './support.mjs';

export async function openMariaDb(mariadb) {
  const { url } = await createDatabase(mariadb.rootUrl);
  const env = { DATABASE_URL: url, ...SECRETS };
  await migrate(env);
  const connection = await createConnection(url);
  return {
    env,
    query: async (sql, values) => (await connection.query(sql, values))[0],
    close: () => connection.end(),
  };
}

export async function openEmbedded() {
  const folder = temporaryFolder('bench-embedded');
  const env = { DATA_DIR: folder, ...SECRETS };
  await migrate(env);
  const file = new Libsql(join(folder, 'gatehouse.sqlite'), { timeout: 5000 });
  return {
    env,
    file,
    query: (sql, values = []) => file.prepare(sql).all(...values),
    close() {
      file.close();
      removeFolder(folder);
    },
  };
}
