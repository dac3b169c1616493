import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-${purpose}-`));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  folders.delete(folder);
  // Retries: a process killed a moment ago may still be creating files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

process.on('exit', () => {
  for (const folder of folders) removeFolder(folder);
});
