import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.js';

const NAMES = ['PASSWORD_KEY', 'JWT_SECRET', 'GM_SECRET'] as const;

/**
 * Embedded mode generates its secrets once and keeps them in `DATA_DIR`, so that accounts and tokens survive a
 * restart. Returns the problem if the folder cannot be used.
 */
export function loadEmbeddedSecrets(environment: Environment): string[] {
  const file = join(environment.DATA_DIR, 'secrets.json');
  try {
    // It holds password hashes and secrets: closed to other users of the machine, with everything in it.
    process.umask(0o077);
    mkdirSync(environment.DATA_DIR, { recursive: true });
    chmodSync(environment.DATA_DIR, 0o700);
    if (!existsSync(file)) createSecretsFile(file);
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    for (const name of NAMES) environment[name] ??= stored[name] ?? '';
    return [];
  } catch (error) {
    // Filled in anyway, so that one problem is reported once.
    for (const name of NAMES) environment[name] ??= generateSecret();
    return [`DATA_DIR cannot be used: ${file}: ${(error as Error).message}`];
  }
}

function createSecretsFile(file: string): void {
  const secrets = Object.fromEntries(NAMES.map((name) => [name, generateSecret()]));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  try {
    // link() fails if the file exists: of two processes that start at once, one wins and both read the same.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}
