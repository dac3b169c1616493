import { existsSync } from 'node:fs';
import { Environment } from './environment.js';
import { parseEnvironment } from './parse-environment.js';
import { ConfigurationError } from './configuration-error.js';
import { readSettings } from './settings.js';

/** Loads the environment for a command that needs no settings. Existing variables take precedence over `.env`. */
export function loadEnvironment(): Environment {
  readDotEnv();
  return parseEnvironment(process.env);
}

/**
 * Loads the environment and checks the settings, or throws an error that lists every problem. With
 * `startsWithRefusedSettings`, the defaults apply until an operator fixes an invalid settings file.
 */
export function loadConfiguration({ startsWithRefusedSettings = false } = {}): Environment {
  readDotEnv();
  const settingsFile = process.env.SETTINGS_FILE?.trim() || new Environment().SETTINGS_FILE;
  const problems: string[] = [];
  const tryLoad = <T>(load: () => T): T | undefined => {
    try {
      return load();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems.map((problem) => `${error.source}: ${problem}`));
      return undefined;
    }
  };
  const environment = tryLoad(() => parseEnvironment(process.env));
  if (!startsWithRefusedSettings) tryLoad(() => readSettings(settingsFile));
  if (!environment || problems.length > 0) throw new ConfigurationError('configuration', problems);
  return Object.assign(environment, { startsWithRefusedSettings });
}

export function childEnvironment(overrides: Partial<Record<keyof Environment, string>>) {
  const defined = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return { ...process.env, ...Object.fromEntries(defined) };
}

function readDotEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
