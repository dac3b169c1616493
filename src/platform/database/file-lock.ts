import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';

const POLL_MS = 50;

/**
 * Lets one process at a time work on a folder. Uses SQLite's lock on an empty database file: the system releases it
 * when the holder dies, however that happens.
 */
export async function withFileLock<T>(
  folder: string,
  timeoutSeconds: number,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const lock = new Libsql(join(folder, 'migrations.lock'));
  try {
    const deadline = performance.now() + timeoutSeconds * 1000;
    while (!tryAcquire(lock)) {
      if (performance.now() > deadline)
        throw new Error('Another process has held the migration lock too long');
      await pause(POLL_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function tryAcquire(lock: Libsql.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}
