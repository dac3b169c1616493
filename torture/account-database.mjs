// Opens the harness's own database connections, which bypass the fault proxies and retry while a server is down.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createPool } from 'mysql2/promise';
import { SECRETS } from './secrets.mjs';

const RETRY_FOR_MS = 60_000;
// ER_RECORD_FILE_FULL and ER_DISK_FULL come from a full disk, and the last two errors from a Galera node without a
// quorum.
const RETRYABLE = new RegExp(
  `^(PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|ER_SERVER_SHUTDOWN|ER_LOCK|ER_CON_COUNT|ER_RECORD_FILE_FULL|ER_DISK_FULL` +
    `|ER_ERROR_DURING_COMMIT|ER_UNKNOWN_COM_ERROR)`,
);
// With this setting, a read on a Galera node sees everything that any node has committed. Other servers reject the
// variable.
const SYNC_READS = 'SET SESSION wsrep_sync_wait = 15';

/** Opens a pool that retries its statements, which must therefore be idempotent. */
export function openRetrying(uri) {
  const pool = createPool({ uri, connectionLimit: 6, connectTimeout: 15_000, timezone: 'Z' });
  pool.on('connection', (connection) => connection.query(SYNC_READS, () => undefined));

  async function query(sql, values) {
    const deadline = Date.now() + RETRY_FOR_MS;
    for (;;) {
      try {
        return (await pool.query(sql, values))[0];
      } catch (error) {
        if (!RETRYABLE.test(error.code) || Date.now() > deadline) throw error;
        await pause(100);
      }
    }
  }

  return { query, close: () => pool.end().catch(() => undefined) };
}

export function openAccountDatabase(uri) {
  const { query, close } = openRetrying(uri);

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
