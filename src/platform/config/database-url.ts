import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigurationError } from './configuration-error.js';

export interface DatabaseHost {
  host: string;
  port: number;
}

/** As Node's TLS and mysql2 take it. */
export interface DatabaseTls {
  ca?: string;
  cert?: string;
  key?: string;
  rejectUnauthorized: boolean;
  verifyIdentity: boolean;
}

export interface DatabaseTarget {
  hosts: [DatabaseHost, ...DatabaseHost[]];
  user: string;
  password: string;
  database: string;
  ssl?: DatabaseTls;
}

const URL_PATTERN =
  /^(?:mysql|mariadb):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const HOST_PATTERN = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/;
const SSL_MODES = ['VERIFY_IDENTITY', 'VERIFY_CA', 'REQUIRED'];
const SSL_FILES = { 'ssl-ca': 'ca', 'ssl-cert': 'cert', 'ssl-key': 'key' } as const;
const SSL_PARAMETERS = ['ssl-mode', ...Object.keys(SSL_FILES)];

/**
 * `mysql://user:password@host:port,host:port/database?ssl-mode=…&ssl-ca=…`. Parsed here, because `URL` allows one host
 * and TypeORM drops the parameters, so that a connection with TLS would be in plain text.
 */
export function parseDatabaseUrl(url: string): DatabaseTarget {
  const [, credentials = '', places = '', path = '', query = ''] = URL_PATTERN.exec(url) ?? [];
  const problems: string[] = [];
  const hosts = places.split(',').map(parseHost);
  if (hosts.includes(undefined))
    problems.push(
      'must be a URL such as mysql://user:password@host:3306/database; several hosts are separated by commas',
    );
  const [user = '', password = ''] = splitOnce(credentials).map((part) => decode(part, problems));
  const database = decode(path, problems);
  const ssl = parseTls(new URLSearchParams(query), problems);
  const address = hosts.find((host) => host && isIP(host.host));
  if (ssl?.verifyIdentity && address)
    problems.push(
      `names the address ${address.host}, which a certificate is not checked against: use a host name, or ssl-mode=VERIFY_CA`,
    );
  if (problems.length > 0) throw new ConfigurationError('database URL', problems);
  return { hosts: hosts as DatabaseTarget['hosts'], user, password, database, ssl };
}

/** The problems of the URL, each as the end of a sentence that begins with the variable's name. */
export function databaseUrlProblems(url: string): string[] {
  try {
    parseDatabaseUrl(url);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
}

function parseHost(text: string): DatabaseHost | undefined {
  const [, address, name, digits] = HOST_PATTERN.exec(text) ?? [];
  const host = address ?? name;
  const port = digits === undefined ? 3306 : Number(digits);
  const valid = host && port > 0 && port < 65536 && (!address || isIP(address) === 6);
  return valid ? { host, port } : undefined;
}

function parseTls(parameters: URLSearchParams, problems: string[]): DatabaseTls | undefined {
  if (parameters.size === 0) return undefined;
  for (const name of new Set(parameters.keys())) {
    if (!SSL_PARAMETERS.includes(name))
      problems.push(`has the unknown parameter ${name}; there are ${SSL_PARAMETERS.join(', ')}`);
    else if (parameters.getAll(name).length > 1) problems.push(`has ${name} twice`);
  }
  const mode = parameters.get('ssl-mode') ?? 'VERIFY_IDENTITY';
  if (!SSL_MODES.includes(mode))
    problems.push(`has an ssl-mode that is none of ${SSL_MODES.join(', ')}`);
  const tls: DatabaseTls = {
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
  };
  for (const [name, option] of Object.entries(SSL_FILES)) {
    const file = parameters.get(name);
    if (file !== null) tls[option] = readTlsFile(name, file, problems);
  }
  return tls;
}

function readTlsFile(name: string, file: string, problems: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(`has an ${name} that cannot be read: ${file} (${code})`);
    return undefined;
  }
}

function splitOnce(credentials: string): [string, string] {
  const colon = credentials.indexOf(':');
  return colon === -1
    ? [credentials, '']
    : [credentials.slice(0, colon), credentials.slice(colon + 1)];
}

function decode(text: string, problems: string[]): string {
  try {
    return decodeURIComponent(text);
  } catch {
    problems.push('has a % that is not followed by two hex digits: write %25');
    return '';
  }
}
