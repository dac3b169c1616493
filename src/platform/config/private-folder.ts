import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files of embedded mode, by the beginning of the name. */
const OWN_FILES = /^(gatehouse\.sqlite|migrations\.lock|secrets\.json|sandbox\.sqlite|mir_actor_s)/;

/**
 * Closes the folder of embedded mode to other users of the machine, including files of earlier versions: it holds
 * password hashes and secrets. Other files there are not touched.
 */
export function makeFolderPrivate(folder: string): void {
  process.umask(0o077);
  for (const part of [folder, join(folder, 'sandbox')]) {
    if (part === folder) mkdirSync(part, { recursive: true });
    if (!existsSync(part)) continue;
    chmodSync(part, 0o700);
    for (const name of readdirSync(part)) if (OWN_FILES.test(name)) closeFile(join(part, name));
  }
}

function closeFile(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // Another process may just have removed its temporary file.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
