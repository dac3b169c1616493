import { existsSync } from 'node:fs';
import { Environment } from './environment.js';
import { parseEnvironment } from './parse-environment.js';
import { ConfigurationError } from './problems.js';
import { readSettings } from './settings.js';

/** Loads environment and settings, or throws with every problem at once. Existing variables win over `.env`. */
export function loadConfiguration(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settingsFile = process.env.SETTINGS_FILE?.trim() || new Environment().SETTINGS_FILE;
  const problems: string[] = [];
  const collect = <T>(load: () => T): T | undefined => {
    try {
      return load();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems.map((problem) => `${error.source}: ${problem}`));
      return undefined;
    }
  };
  const environment = collect(() => parseEnvironment(process.env));
  collect(() => readSettings(settingsFile));
  if (!environment || problems.length > 0) throw new ConfigurationError('configuration', problems);
  return environment;
}
