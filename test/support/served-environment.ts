import { parseEnvironment } from '../../src/platform/config/parse-environment.js';
import type { ConfigurationError } from '../../src/platform/config/configuration-error.js';

/** Holds the required environment of a service with its own database. */
export const SERVED = {
  DATABASE_URL: 'mysql://gatehouse:secret@127.0.0.1/gatehouse',
  PASSWORD_KEY: 'old-key-of-the-platform',
  JWT_SECRET: 'j'.repeat(32),
  GM_SECRET: 'g'.repeat(16),
};

export function problemsOf(source: Record<string, string>): string[] {
  try {
    parseEnvironment(source);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
}
