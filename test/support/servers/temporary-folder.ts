import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
const ROOM = 8 * 1024 ** 3;
const folders = new Set<string>();

export function temporaryFolder(purpose: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `gatehouse-${purpose}-`));
  folders.add(folder);
  return folder;
}

/** Keeps data in memory if there is room, because a slow disk stalls a database for longer than the service waits. */
export function temporaryDataFolder(purpose: string): string {
  return temporaryFolder(purpose, hasRoom(SHARED_MEMORY) ? SHARED_MEMORY : undefined);
}

export function removeFolder(folder: string): void {
  folders.delete(folder);
  // The removal is retried because a recently killed process may still be creating files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > ROOM;
}

process.on('exit', () => {
  for (const folder of folders) removeFolder(folder);
});
