// The account database that is measured: the environment of its servers, and a way to query it.
import { createConnection } from 'mysql2/promise';
import { migrate, SECRETS } from './stage.mjs';
import { createDatabase } from './support.mjs';

export async function openDatabase(server) {
  const { url } = await createDatabase(server.rootUrl);
  const env = { DATABASE_URL: url, ...SECRETS };
  await migrate(env);
  const connection = await createConnection(url);
  const query = async (sql, values) => (await connection.query(sql, values))[0];
  const [{ version }] = await query('SELECT VERSION() AS version');
  const likeMariaDb = version.includes('MariaDB') ? query : await imitateMariaDb(query);
  return { env, query: likeMariaDb, close: () => connection.end() };
}

/** Gives MySQL what fill.mjs uses of MariaDB: MD5(), a component since 9.6, and tables of numbers, `seq_1_to_N`. */
async function imitateMariaDb(query) {
  await query("INSTALL COMPONENT 'file://component_classic_hashing'").catch(() => undefined);
  return async (sql, values) => {
    const [table, last] = /\bseq_1_to_(\d+)/.exec(sql) ?? [];
    if (table) await createNumbers(query, table, Number(last));
    return query(sql, values);
  };
}

async function createNumbers(query, table, last) {
  await query('SET cte_max_recursion_depth = ?', [last]);
  await query(
    `CREATE TABLE IF NOT EXISTS ${table} (seq INT PRIMARY KEY) AS
     WITH RECURSIVE numbers AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ?)
     SELECT seq FROM numbers`,
    [last],
  );
}
