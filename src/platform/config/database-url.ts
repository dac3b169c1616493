import { isIP } from 'node:net';
import { HostListUrl, problemsOf, type UrlHost } from './host-list-url.js';

export type DatabaseHost = UrlHost;

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

const SSL_MODES = ['VERIFY_IDENTITY', 'VERIFY_CA', 'REQUIRED'];
const SSL_PARAMETERS = ['ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key'];

/**
 * Parses `mysql://user:password@host:port,host:port/database?ssl-mode=…&ssl-ca=…`, or throws an error that lists every
 * problem. TypeORM would ignore the TLS parameters and connect in plain text.
 */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  const url = new HostListUrl(text, { mysql: 3306, mariadb: 3306 });
  const { hosts, user, password, path: database, problems } = url;
  if (database.includes('/')) problems.push('names a database with a / in its name');
  const ssl = parseTls(url);
  const address = hosts.find(({ host }) => isIP(host));
  if (ssl?.verifyIdentity && address)
    problems.push(
      `names the address ${address.host}, which VERIFY_IDENTITY cannot check: use a host name, or ssl-mode=VERIFY_CA`,
    );
  url.throwProblems();
  return { hosts: hosts as DatabaseTarget['hosts'], user, password, database, ssl };
}

/** Each problem completes a sentence that begins with the variable's name. */
export function databaseUrlProblems(url: string): string[] {
  return problemsOf(() => parseDatabaseUrl(url));
}

function parseTls(url: HostListUrl): DatabaseTls | undefined {
  if (url.query.size === 0) return undefined;
  url.refuseOtherParameters(SSL_PARAMETERS);
  const mode = url.query.get('ssl-mode') ?? 'VERIFY_IDENTITY';
  if (!SSL_MODES.includes(mode))
    url.problems.push(`has an ssl-mode that is none of ${SSL_MODES.join(', ')}`);
  const [ca, cert, key] = ['ssl-ca', 'ssl-cert', 'ssl-key'].map((name) => url.readFile(name));
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
  };
}
