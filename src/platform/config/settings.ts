import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from './environment.js';
import { parseSettings } from './parse-settings.js';
import { ConfigurationError } from './configuration-error.js';
import type { SettingsValues } from './settings.schema.js';

// Polling, because file watches miss renames, mounts and links.
const RELOAD_MS = 500;

/** The settings file, re-read while the service runs. Read `current` at each use; do not keep it. */
@Injectable()
export class Settings implements OnApplicationShutdown {
  current: SettingsValues;
  /** Why the file as it is now was refused; empty while it is in force. */
  problems: string[] = [];
  private readonly logger = new Logger(Settings.name);
  private readonly file: string;
  private readonly timer: NodeJS.Timeout;
  /** The text of the last read, and the text last accepted or refused. */
  private lastRead: string;
  private lastEvaluated: string;

  constructor(environment: Environment) {
    this.file = environment.SETTINGS_FILE;
    const { text, values } = this.readInitial(environment.fallbackSettings);
    this.lastRead = this.lastEvaluated = text;
    this.current = values;
    this.timer = setInterval(() => void this.reload(), RELOAD_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** A refused file stops a start, unless there is something to fall back to. */
  private readInitial(fallback: string | undefined) {
    try {
      return readSettings(this.file);
    } catch (error) {
      if (fallback === undefined) throw error;
      this.reject(error);
      return { text: '', values: parseSettings(fallback, this.file) };
    }
  }

  private reject(error: unknown): void {
    this.problems = error instanceof ConfigurationError ? error.problems : [String(error)];
    this.logger.error(
      `${this.file} was refused, the last good settings stay in force: ${this.problems.join('; ')}`,
    );
  }

  private async reload(): Promise<void> {
    const text = await readFile(this.file, 'utf8').catch((error: Error) => error);
    const content = text instanceof Error ? text.message : text;
    // Most editors empty the file before they fill it, so a text counts once two reads in a row agree.
    const isStable = content === this.lastRead;
    this.lastRead = content;
    if (!isStable || content === this.lastEvaluated) return;
    this.lastEvaluated = content;
    try {
      if (text instanceof Error) throw new ConfigurationError(this.file, [text.message]);
      this.current = parseSettings(text, this.file);
      this.problems = [];
      this.logger.log(`${this.file} has changed and is now in force`);
    } catch (error) {
      this.reject(error);
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
