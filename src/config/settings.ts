import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from './environment.js';
import { parseSettings } from './parse-settings.js';
import { ConfigurationError } from './problems.js';
import type { SettingsValues } from './settings-rules.js';

// Polling, because file watches miss renames, mounts and links.
const REREAD_MS = 500;

/** The settings file, re-read while the service runs. Read `current` at each use; do not keep it. */
@Injectable()
export class Settings implements OnApplicationShutdown {
  current: SettingsValues;
  private readonly logger = new Logger(Settings.name);
  private readonly file: string;
  private readonly timer: NodeJS.Timeout;
  /** The text of the last read, and the text last accepted or refused. */
  private found: string;
  private decided: string;

  constructor(environment: Environment) {
    this.file = environment.SETTINGS_FILE;
    const first = readSettings(this.file);
    this.found = this.decided = first.text;
    this.current = first.values;
    this.timer = setInterval(() => void this.reread(), REREAD_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async reread(): Promise<void> {
    const text = await readFile(this.file, 'utf8').catch((error: Error) => error);
    const content = text instanceof Error ? text.message : text;
    // Most editors empty the file before they fill it, so a text counts once two reads in a row agree.
    const settled = content === this.found;
    this.found = content;
    if (!settled || content === this.decided) return;
    this.decided = content;
    try {
      if (text instanceof Error) throw new ConfigurationError(this.file, [text.message]);
      // Nobody empties the file on purpose, but a full disk does.
      if (text.trim() === '') throw new ConfigurationError(this.file, ['it has become empty']);
      this.current = parseSettings(text, this.file);
      this.logger.log(`${this.file} has changed and is now in force`);
    } catch (error) {
      const problems = error instanceof ConfigurationError ? error.problems : [String(error)];
      this.logger.error(
        `${this.file} was refused, the last good settings stay in force: ${problems.join('; ')}`,
      );
    }
  }
}

export function readSettings(file: string): { text: string; values: SettingsValues } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError(file, [(error as Error).message]);
  }
  return { text, values: parseSettings(text, file) };
}
