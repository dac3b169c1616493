import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryFolder } from './temporary-folder.js';

/** Writes a settings file under which many requests from one address are not throttled, and returns its path. */
export function writeSettingsFile(settings: object = {}): string {
  const file = join(temporaryFolder('settings'), 'settings.yaml');
  writeFileSync(file, stringify({ rate_limit: { per_minute: 1_000_000 }, ...settings }));
  return file;
}
