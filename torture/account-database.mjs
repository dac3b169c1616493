// The harness's own ways to the databases: not through a proxy, and patient while one is down.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from 'mysql2/promise';
import { SECRETS } from './secrets.mjs';

const PATIENCE_MS = 60_000;
// The last of the first line are said with a full disk, those of the second by a Galera node without a quorum.
const LOST = new RegExp(
  `^(PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|ER_SERVER_SHUTDOWN|ER_LOCK|ER_CON_COUNT|ER_RECORD_FILE_FULL|ER_DISK_FULL` +
    `|ER_ERROR_DURING_COMMIT|ER_UNKNOWN_COM_ERROR)`,
);
// Of a cluster, the harness sees what was committed at any node. Other servers know no such thing.
const UP_TO_DATE = 'SET SESSION wsrep_sync_wait = 15';

/** Statements must be harmless when they are done twice. Gives the rows. */
export function openPatiently(uri) {
  const pool = createPool({ uri, connectionLimit: 6, connectTimeout: 15_000, timezone: 'Z' });
  pool.on('connection', (connection) => connection.query(UP_TO_DATE, () => undefined));

  async function query(sql, values) {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return (await pool.query(sql, values))[0];
      } catch (error) {
        if (!LOST.test(error.code) || Date.now() > deadline) throw error;
        await pause(100);
      }
    }
  }

  return { query, close: () => pool.end().catch(() => undefined) };
}

export function openAccountDatabase(uri) {
  const { query, close } = openPatiently(uri);

  async function createPlayer({ account, password, email = null }) {
    const stored = passwordHash(password);
    await query('INSERT IGNORE INTO player (account, password, email) VALUES (?, ?, ?)', [
      account,
      stored,
      email,
    ]);
    const [{ id }] = await query('SELECT id FROM player WHERE account = ?', [account]);
    return { id, account, password, email };
  }

  return { query, createPlayer, close };
}

export function passwordHash(password) {
  return createHash('md5')
    .update(password + SECRETS.PASSWORD_KEY)
    .digest('hex');
}
