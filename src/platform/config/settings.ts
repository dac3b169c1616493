import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from './environment.js';
import { parseSettings } from './parse-settings.js';
import { ConfigurationError } from './configuration-error.js';
import { settingsChanges } from './settings-changes.js';
import type { SettingsValues } from './settings.schema.js';

// Polling, because file watches miss renames, mounts and links.
const RELOAD_MS = 500;
const MAX_LOGGED = 1000;
const MAX_REPLACED = 50;

export interface PastSettings {
  values: SettingsValues;
  since: Date;
}

/** The settings file, re-read while the service runs. Read `current` at each use; do not keep it. */
@Injectable()
export class Settings implements OnApplicationShutdown {
  current: SettingsValues;
  /** Why the current file was refused; empty while it is in use. */
  problems: string[] = [];
  /** When this process started to use them. */
  inForceSince = new Date();
  /** Earlier settings that are not yet in the audit log, oldest first. */
  replaced: PastSettings[] = [];
  private readonly logger = new Logger(Settings.name);
  private readonly file: string;
  private readonly timer: NodeJS.Timeout;
  /** The text of the last read, and the text last accepted or refused. */
  private lastRead: string;
  private lastEvaluated: string;
  private reading?: Promise<void>;

  constructor(environment: Environment) {
    this.file = environment.SETTINGS_FILE;
    const { text, values } = this.readInitial(environment.startsWithRefusedSettings);
    this.lastRead = this.lastEvaluated = text;
    this.current = values;
    this.timer = setInterval(() => void this.reload(), RELOAD_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private readInitial(startsWithRefusedSettings: boolean) {
    try {
      return readSettings(this.file);
    } catch (error) {
      if (!startsWithRefusedSettings) throw error;
      this.reject(error);
      return { text: '', values: parseSettings('defaults: true', this.file) };
    }
  }

  private reject(error: unknown): void {
    this.problems = error instanceof ConfigurationError ? error.problems : [String(error)];
    this.logger.error(
      `${this.file} was refused, the last good settings stay in force: ${this.problems.join('; ')}`,
    );
  }

  private accept(values: SettingsValues): void {
    const before = this.current;
    this.replaced = [...this.replaced, { values: before, since: this.inForceSince }].slice(
      -MAX_REPLACED,
    );
    this.current = values;
    this.problems = [];
    this.inForceSince = new Date();
    const changes = settingsChanges(before, values).map(
      (one) => `${one.key} ${JSON.stringify(one.before)} → ${JSON.stringify(one.after)}`,
    );
    const what = truncate(changes.join(', ') || 'every value is the same');
    this.logger.log(`${this.file} has changed and is now in force: ${what}`);
    const removed = before.deny_ip.filter((entry) => !values.deny_ip.includes(entry));
    if (removed.length > 0)
      this.logger.warn(
        `deny_ip no longer has ${truncate(removed.join(', '))}: these addresses are let in again, unless another entry covers them`,
      );
  }

  /** One read at a time: reads of a hanging mount would occupy all threads, which DNS and other files need too. */
  private reload(): Promise<void> {
    this.reading ??= this.readChange().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readChange(): Promise<void> {
    const text = await readFile(this.file, 'utf8').catch((error: Error) => error);
    const content = text instanceof Error ? text.message : text;
    // Most editors empty the file before they fill it, so a text counts once two reads in a row agree.
    const isStable = content === this.lastRead;
    this.lastRead = content;
    if (!isStable || content === this.lastEvaluated) return;
    this.lastEvaluated = content;
    try {
      if (text instanceof Error) throw new ConfigurationError(this.file, [text.message]);
      this.accept(parseSettings(text, this.file));
    } catch (error) {
      this.reject(error);
    }
  }
}

function truncate(text: string): string {
  return text.length > MAX_LOGGED ? `${text.slice(0, MAX_LOGGED)}…` : text;
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
