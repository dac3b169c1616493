// Creates and migrates the account database of a benchmark.
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
  const mariaDbQuery = version.includes('MariaDB') ? query : await emulateMariaDb(query);
  return { env, query: mariaDbQuery, close: () => connection.end() };
}

/**
 * Adds the MariaDB features that fill.mjs uses and MySQL lacks: MD5(), which has been a component
 * since MySQL 9.6, and the sequence tables `seq_1_to_N`.
 */
async function emulateMariaDb(query) {
  await query("INSTALL COMPONENT 'file://component_classic_hashing'").catch(() => undefined);
  return async (sql, values) => {
    const [table, last] = /\bseq_1_to_(\d+)/.exec(sql) ?? [];
    if (table) await createSequence(query, table, Number(last));
    return query(sql, values);
  };
}

async function createSequence(query, table, last) {
  await query('SET cte_max_recursion_depth = ?', [last]);
  await query(
    `CREATE TABLE IF NOT EXISTS ${table} (seq INT PRIMARY KEY) AS
     WITH RECURSIVE numbers AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ?)
     SELECT seq FROM numbers`,
    [last],
  );
}
