import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { loadEmbeddedSecrets } from './embedded-secrets.js';
import { Environment } from './environment.js';
import {
  databaseProblems,
  deskProblems,
  forumProblems,
  redisProblems,
  secretProblems,
  SECRETS,
} from './environment-rules.js';
import { ConfigurationError, describeValidationErrors } from './configuration-error.js';

const EMBEDDED_DESK_PORT = 3002;

/** The sandbox shows codes and signs anybody in: players must never reach it. */
function embeddedProblems(environment: Environment, mode: string | undefined): string[] {
  return mode?.trim() === 'production'
    ? ['DATABASE_URL must be set: NODE_ENV=production has no embedded database']
    : loadEmbeddedSecrets(environment);
}

/** Parses and validates the environment, or throws with every problem at once. */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const given = Object.entries(source)
    // Secrets are not trimmed: without its trailing space a PASSWORD_KEY would match no stored hash.
    .map(([name, value]) => [name, SECRETS.includes(name) ? value : value?.trim()] as const)
    .filter(([, value]) => value?.trim());
  const environment = plainToInstance(Environment, Object.fromEntries(given));
  environment.HOST ??= environment.embedded ? '127.0.0.1' : '0.0.0.0';
  environment.DESK_PORT ??= environment.embedded ? EMBEDDED_DESK_PORT : 0;
  const ownUrl = `http://localhost:${environment.PORT}`;
  // An invalid PORT is reported as such, not also as an invalid URL.
  environment.PUBLIC_URL ??= URL.canParse(ownUrl) ? ownUrl : 'http://localhost';
  environment.FRONTEND_URL ??= environment.PUBLIC_URL;
  environment.PUBLIC_URL = environment.PUBLIC_URL.replace(/\/+$/, '');
  environment.FRONTEND_URL = environment.FRONTEND_URL.replace(/\/+$/, '');
  const problems = [
    ...(environment.embedded ? embeddedProblems(environment, source.NODE_ENV) : []),
    ...describeValidationErrors(validateSync(environment, { whitelist: true })),
    ...databaseProblems(environment),
    ...redisProblems(environment),
    ...secretProblems(environment),
    ...deskProblems(environment),
    ...forumProblems(environment),
  ];
  if (problems.length > 0) throw new ConfigurationError('environment', problems);
  return environment;
}
