import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ConfigurationError, describeValidationErrors } from './configuration-error.js';
import { databaseUrlProblems, parseDatabaseUrl } from './database-url.js';
import { Environment } from './environment.js';
import { ENDPOINT_NAME } from './event-settings.js';
import { problemsOf } from './host-list-url.js';
import { parseRedisUrl } from './redis-url.js';

const EMBEDDED_DESK_PORT = 3002;
// The minimum for PASSWORD_KEY is low, because its value comes from the previous generation and cannot change.
const SHORTEST = {
  PASSWORD_KEY: 8,
  JWT_SECRET: 32,
  GM_SECRET: 16,
  GAME_CALLBACK_SECRET: 16,
};
const SECRETS = Object.keys(SHORTEST);
const PLACEHOLDER = /replace-with/i;
const REQUIRED_SECRETS = ['PASSWORD_KEY', 'JWT_SECRET', 'GM_SECRET'] as const;

export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const given = Object.entries(source)
    // Secrets are not trimmed, because a PASSWORD_KEY without its trailing space would match no stored hash.
    .map(([name, value]) => [name, SECRETS.includes(name) ? value : value?.trim()] as const)
    .filter(([, value]) => value?.trim());
  const environment = plainToInstance(Environment, Object.fromEntries(given));
  environment.HOST ??= environment.embedded ? '127.0.0.1' : '0.0.0.0';
  environment.DESK_PORT ??= environment.embedded ? EMBEDDED_DESK_PORT : 0;
  const ownUrl = `http://localhost:${environment.PORT}`;
  // An invalid PORT must not also be reported as an invalid URL.
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
    ...eventSecretProblems(environment),
    ...deskProblems(environment),
    ...forumProblems(environment),
  ];
  if (problems.length > 0) throw new ConfigurationError('environment', problems);
  return environment;
}

function secretProblems(environment: Environment): string[] {
  const secrets = [
    ...REQUIRED_SECRETS.map((name) => [name, environment[name]] as const),
    ...environment.callbackSecrets.map((secret) => ['GAME_CALLBACK_SECRET', secret] as const),
  ].filter(([, secret]) => secret);
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
  // A value of only commas would disable signature checks.
  if (count > 2 || (count === 0 && environment.GAME_CALLBACK_SECRET !== undefined))
    problems.push('GAME_CALLBACK_SECRET must be one secret, or two separated by a comma');
  return problems;
}

/** Checks the format that Standard Webhooks prescribes. The messages must not repeat a secret. */
function eventSecretProblems({ EVENT_SECRETS: given, eventSecrets }: Environment): string[] {
  if (given === undefined) return [];
  if (PLACEHOLDER.test(given)) return ['EVENT_SECRETS still has the value of .env.example'];
  const hasNames = [...eventSecrets.keys()].every((name) => ENDPOINT_NAME.test(name));
  if (!hasNames || eventSecrets.size === 0)
    return ['EVENT_SECRETS must list name=whsec_…, separated by commas'];
  return [...eventSecrets].flatMap(([name, secrets]) => [
    ...(secrets.every(isEventSecret)
      ? []
      : [`EVENT_SECRETS: ${name} must be whsec_ and 24 to 64 bytes in base64`]),
    ...(secrets.length <= 2 && new Set(secrets).size === secrets.length
      ? []
      : [`EVENT_SECRETS: ${name} must have one secret, or two different ones while you rotate it`]),
  ]);
}

function isEventSecret(secret: string): boolean {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? '';
  const { length } = Buffer.from(key, 'base64');
  return length >= 24 && length <= 64;
}

function databaseProblems(environment: Environment): string[] {
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

/** Allows only one host, because the databases are only read, and a server's row may name a different host. */
function gameDatabaseProblems(url: string): string[] {
  const problems = databaseUrlProblems(url).map((problem) => `GAME_DATABASE_URL ${problem}`);
  if (problems.length === 0 && parseDatabaseUrl(url).hosts.length > 1)
    problems.push('GAME_DATABASE_URL must name one host');
  return problems;
}

function redisProblems({ REDIS_URL: url }: Environment): string[] {
  const problems = url === undefined ? [] : problemsOf(() => parseRedisUrl(url));
  return problems.map((problem) => `REDIS_URL ${problem}`);
}

function forumProblems(environment: Environment): string[] {
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

function deskProblems({ PORT, DESK_PORT }: Environment): string[] {
  return DESK_PORT !== 0 && DESK_PORT === PORT ? ['DESK_PORT must differ from PORT'] : [];
}

/** Rejects the embedded database in production, because its sandbox shows codes and lets anyone sign in. */
function embeddedProblems(environment: Environment, mode: string | undefined): string[] {
  return mode?.trim() === 'production'
    ? ['DATABASE_URL must be set: NODE_ENV=production has no embedded database']
    : loadEmbeddedSecrets(environment);
}

/**
 * Loads the secrets of the embedded mode from `DATA_DIR`, or generates and stores them on the first run, so that
 * accounts and tokens survive a restart. Returns a problem if the folder cannot be used.
 */
function loadEmbeddedSecrets(environment: Environment): string[] {
  const file = join(environment.DATA_DIR, 'secrets.json');
  try {
    // Other users of the machine must not be able to read the password hashes and secrets in this folder.
    process.umask(0o077);
    mkdirSync(environment.DATA_DIR, { recursive: true });
    chmodSync(environment.DATA_DIR, 0o700);
    if (!existsSync(file)) createSecretsFile(file);
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    for (const name of REQUIRED_SECRETS) environment[name] ??= stored[name] ?? '';
    return [];
  } catch (error) {
    // Without these values, each missing secret would be reported as another problem.
    for (const name of REQUIRED_SECRETS) environment[name] ??= generateSecret();
    return [`DATA_DIR cannot be used: ${file}: ${(error as Error).message}`];
  }
}

function createSecretsFile(file: string): void {
  const secrets = Object.fromEntries(REQUIRED_SECRETS.map((name) => [name, generateSecret()]));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  try {
    // link() fails if the file exists, so two processes that start at the same time both use the file that was written
    // first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}
