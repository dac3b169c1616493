import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type DynamicModule,
  Global,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ConfigurationError } from './configuration-error.js';
import { Environment } from './environment.js';
import { parseSettings } from './parse-settings.js';
import type { SettingsValues } from './settings.schema.js';

// The file is polled, because file watchers miss renames, mounts and links.
const RELOAD_MS = 500;
const MAX_LOGGED = 1000;
const MAX_REPLACED = 50;

interface SettingsChange {
  /** The key is the full name, such as `withdraw.max`. */
  key: string;
  before: unknown;
  after: unknown;
}

/** Reloads the settings file while the service runs. Callers must read `current` at each use and not store it. */
@Injectable()
export class Settings implements OnApplicationShutdown {
  current: SettingsValues;
  /** Says why the current file was rejected. The list is empty while the file is in use. */
  problems: string[] = [];
  /** This process began to use the current settings at this time. */
  inForceSince = new Date();
  /** Identifies the text of the current settings, so that the audit log can tell who put it in place. */
  digest: string;
  /** Contains earlier settings that are not yet in the audit log, oldest first. */
  replaced: Array<{ values: SettingsValues; since: Date; digest: string }> = [];
  private readonly logger = new Logger(Settings.name);
  private readonly file: string;
  private readonly timer: NodeJS.Timeout;
  private lastRead: string;
  /** This text was last accepted or rejected. */
  private lastEvaluated: string;
  private reading?: Promise<void>;

  constructor(environment: Environment) {
    this.file = environment.SETTINGS_FILE;
    const { text, values } = this.readInitial(environment.startsWithRefusedSettings);
    this.lastRead = this.lastEvaluated = text;
    this.current = values;
    this.digest = settingsDigest(text);
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
      `${this.file} was refused, so the last good settings stay in force: ${this.problems.join('; ')}`,
    );
  }

  private accept(text: string, values: SettingsValues): void {
    const before = this.current;
    const replaced = { values: before, since: this.inForceSince, digest: this.digest };
    this.replaced = [...this.replaced, replaced].slice(-MAX_REPLACED);
    this.current = values;
    this.digest = settingsDigest(text);
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
        `deny_ip no longer has ${truncate(removed.join(', '))}: these addresses are allowed again, unless another entry covers them`,
      );
  }

  /**
   * Runs one read at a time, because reads of a hanging mount would otherwise occupy all threads, which DNS lookups
   * need too.
   */
  private reload(): Promise<void> {
    this.reading ??= this.readChange().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readChange(): Promise<void> {
    const text = await readFile(this.file, 'utf8').catch((error: Error) => error);
    const content = text instanceof Error ? text.message : text;
    // Most editors empty the file before they write it, so a text counts only after two equal reads in a row.
    const isStable = content === this.lastRead;
    this.lastRead = content;
    if (!isStable || content === this.lastEvaluated) return;
    this.lastEvaluated = content;
    try {
      if (text instanceof Error) throw new ConfigurationError(this.file, [text.message]);
      this.accept(text, parseSettings(text, this.file));
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

export function settingsDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function flattenSettings(values: object, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flattenSettings(value, `${prefix}${name}.`))
        : [[prefix + name, value] as const],
    ),
  );
}

export function settingsChanges(before: object, after: object): SettingsChange[] {
  const [then, now] = [flattenSettings(before), flattenSettings(after)];
  return Object.keys(now)
    .filter((key) => JSON.stringify(then[key]) !== JSON.stringify(now[key]))
    .map((key) => ({ key, before: then[key], after: now[key] }));
}

/** Returns how many days a browser may stay signed in, which is 0 if the browser would not send the cookie. */
export function rememberDays({ session }: SettingsValues, environment: Environment): number {
  return environment.frontEndIsSameSite ? Math.min(session.remember_days, session.max_days) : 0;
}

/** Returns how many days a browser may skip the second step, which is 0 if the browser would not send the cookie. */
export function trustDays({ session }: SettingsValues, environment: Environment): number {
  return environment.frontEndIsSameSite ? session.trust_days : 0;
}

@Global()
@Module({})
export class ConfigModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Environment, useValue: environment }, Settings],
      exports: [Environment, Settings],
    };
  }
}
