import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { fillInEmbeddedSecrets } from './embedded-secrets.js';
import { Environment } from './environment.js';
import { databaseProblems, forumProblems, secretProblems, SECRETS } from './environment-rules.js';
import { ConfigurationError, describeProblems } from './problems.js';

/** The environment as checked values, with its defaults filled in, or every problem in it at once. */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const given = Object.entries(source)
    // Not the secrets: one that ends in a space is another without it, and no stored password would match.
    .map(([name, value]) => [name, SECRETS.includes(name) ? value : value?.trim()] as const)
    .filter(([, value]) => value?.trim());
  const environment = plainToInstance(Environment, Object.fromEntries(given));
  environment.HOST ??= environment.embedded ? '127.0.0.1' : '0.0.0.0';
  const ownUrl = `http://localhost:${environment.PORT}`;
  // A port that is none is a problem of its own, not also of the addresses made from it.
  environment.PUBLIC_URL ??= URL.canParse(ownUrl) ? ownUrl : 'http://localhost';
  environment.FRONTEND_URL ??= environment.PUBLIC_URL;
  environment.PUBLIC_URL = environment.PUBLIC_URL.replace(/\/+$/, '');
  environment.FRONTEND_URL = environment.FRONTEND_URL.replace(/\/+$/, '');
  const problems = [
    ...(environment.embedded ? fillInEmbeddedSecrets(environment) : []),
    ...describeProblems(validateSync(environment, { whitelist: true })),
    ...databaseProblems(environment),
    ...secretProblems(environment),
    ...forumProblems(environment),
  ];
  if (problems.length > 0) throw new ConfigurationError('environment', problems);
  return environment;
}
