import { databaseUrlProblems, parseDatabaseUrl } from './database-url.js';
import type { Environment } from './environment.js';
import { problemsOf } from './host-list-url.js';
import { parseRedisUrl } from './redis-url.js';

// PASSWORD_KEY comes from the previous generation and cannot be changed, so its minimum is low.
const SHORTEST = {
  PASSWORD_KEY: 8,
  JWT_SECRET: 32,
  GM_SECRET: 16,
  GAME_CALLBACK_SECRET: 16,
};
export const SECRETS = Object.keys(SHORTEST);
const PLACEHOLDER = /replace-with/i;

export function secretProblems(environment: Environment): string[] {
  const secrets: Array<[keyof typeof SHORTEST, string]> = (
    ['PASSWORD_KEY', 'JWT_SECRET', 'GM_SECRET'] as const
  )
    .map((name): [keyof typeof SHORTEST, string] => [name, environment[name] ?? ''])
    .filter(([, secret]) => secret !== '');
  for (const secret of environment.callbackSecrets) secrets.push(['GAME_CALLBACK_SECRET', secret]);

  const problems: string[] = [];
  for (const [name, secret] of secrets) {
    if (PLACEHOLDER.test(secret)) problems.push(`${name} still has the value of .env.example`);
    else if (Buffer.byteLength(secret) < SHORTEST[name])
      problems.push(`${name} must be at least ${SHORTEST[name]} bytes long`);
  }
  secrets.forEach(([name, secret], index) => {
    const twin = secrets.slice(index + 1).find(([, other]) => other === secret);
    if (twin && twin[0] === name) problems.push(`${name} names the same secret twice`);
    else if (twin) problems.push(`${name} and ${twin[0]} must not be equal`);
  });
  const count = environment.callbackSecrets.length;
  // A value of only commas would disable the signatures.
  if (count > 2 || (count === 0 && environment.GAME_CALLBACK_SECRET !== undefined))
    problems.push('GAME_CALLBACK_SECRET must be one secret, or two separated by a comma');
  return problems;
}

export function databaseProblems(environment: Environment): string[] {
  const { DATABASE_URL: url, GAME_DATABASE_URL: gameUrl } = environment;
  return [
    ...(url === undefined ? [] : accountDatabaseProblems(url)),
    ...(gameUrl === undefined ? [] : gameDatabaseProblems(gameUrl)),
  ];
}

function accountDatabaseProblems(url: string): string[] {
  const problems = databaseUrlProblems(url).map((problem) => `DATABASE_URL ${problem}`);
  if (problems.length === 0 && parseDatabaseUrl(url).database === '')
    problems.push('DATABASE_URL must name a database after the host');
  if (PLACEHOLDER.test(url)) problems.push('DATABASE_URL still has the password of .env.example');
  return problems;
}

/** One host: a server's row may name another, and the servers' databases are only read. */
function gameDatabaseProblems(url: string): string[] {
  const problems = databaseUrlProblems(url).map((problem) => `GAME_DATABASE_URL ${problem}`);
  if (problems.length === 0 && parseDatabaseUrl(url).hosts.length > 1)
    problems.push('GAME_DATABASE_URL must name one host');
  return problems;
}

export function redisProblems({ REDIS_URL: url }: Environment): string[] {
  const problems = url === undefined ? [] : problemsOf(() => parseRedisUrl(url));
  return problems.map((problem) => `REDIS_URL ${problem}`);
}

export function forumProblems(environment: Environment): string[] {
  const names = [
    'FORUM_AUTHORIZE_URL',
    'FORUM_TOKEN_URL',
    'FORUM_USERINFO_URL',
    'FORUM_CLIENT_ID',
    'FORUM_CLIENT_SECRET',
  ] as const;
  const missing = names.filter((name) => environment[name] === undefined);
  if (missing.length === 0)
    return PLACEHOLDER.test(environment.FORUM_CLIENT_SECRET ?? '')
      ? ['FORUM_CLIENT_SECRET still has the value of .env.example']
      : [];
  if (missing.length === names.length) return [];
  return missing.map((name) => `${name} must be set too: forum login needs all of its settings`);
}

export function deskProblems({ PORT, DESK_PORT }: Environment): string[] {
  return DESK_PORT !== 0 && DESK_PORT === PORT ? ['DESK_PORT must be another port than PORT'] : [];
}
