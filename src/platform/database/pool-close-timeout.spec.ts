import type { Pool } from 'mysql2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '../log/log.js';
import { limitPoolClose } from './pool-close-timeout.js';
import { STATEMENT_TIMEOUT_MS } from './time-limits.js';

afterEach(() => vi.useRealTimers());

type Done = (error: Error | null) => void;

/** A pool with one connection, whose end is as mysql2's in that case; a real one hangs in test/fleet/hung-stop. */
function closing(end: (done: Done) => void) {
  const connection = { destroy: vi.fn() };
  const pool = { end, _allConnections: { length: 1, get: () => connection } } as unknown as Pool;
  limitPoolClose(pool);
  return { connection, pool };
}

describe('Closing a pool', () => {
  it('closes a pool whose server disappears meanwhile', async () => {
    const { pool, connection } = closing((done) => done(new Error('read ECONNRESET')));
    expect(await new Promise((resolve) => pool.end(resolve))).toBeNull();
    expect(connection.destroy).not.toHaveBeenCalled();
  });

  it('gives up on a pool that does not close within the statement timeout', async () => {
    vi.useFakeTimers();
    const warned = vi.spyOn(log, 'warn').mockReturnValue();
    let late: Done = () => undefined;
    const { pool, connection } = closing((done) => (late = done));
    const closed = vi.fn();
    pool.end(closed);
    await vi.advanceTimersByTimeAsync(STATEMENT_TIMEOUT_MS - 1);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    late(null);
    expect(closed).toHaveBeenCalledOnce();
    expect(connection.destroy).toHaveBeenCalledOnce();
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });
});
