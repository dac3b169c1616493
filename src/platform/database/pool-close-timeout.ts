import type { Pool, PoolConnection } from 'mysql2';
import { log } from '../log/log.js';
import { STATEMENT_TIMEOUT_MS } from './time-limits.js';

interface PoolInternals {
  _allConnections: { length: number; get(index: number): PoolConnection };
}

/**
 * mysql2 closes a connection after the statement that runs on it, and waits for ever where the connection is given up
 * first. It also fails where the server goes meanwhile, and a closed pool is closed.
 */
export function limitPoolClose(pool: Pool): void {
  const end = pool.end.bind(pool);
  pool.end = (done) => {
    let waiting = true;
    const finish = () => {
      if (!waiting) return;
      waiting = false;
      clearTimeout(timer);
      done?.(null);
    };
    const giveUp = () => {
      const { _allConnections: all } = pool as unknown as PoolInternals;
      log.warn('connection closed before the server confirmed QUIT');
      for (let index = 0; index < all.length; index++) all.get(index).destroy();
      finish();
    };
    // Each statement has ended by then, or was given up.
    const timer = setTimeout(giveUp, STATEMENT_TIMEOUT_MS);
    end(finish);
  };
}
