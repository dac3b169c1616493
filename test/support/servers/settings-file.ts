import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryFolder } from './temporary-folder.js';

const UNTHROTTLED = { rate_limit: { per_minute: 1_000_000 }, challenge: { mode: 'off' } };

/** Writes a settings file that does not throttle many requests from one address, and returns its path. */
export function writeSettingsFile(settings: object = {}): string {
  const file = join(temporaryFolder('settings'), 'settings.yaml');
  writeFileSync(file, stringify({ ...UNTHROTTLED, ...settings }));
  return file;
}
