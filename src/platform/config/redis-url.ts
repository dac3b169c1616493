import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { ValidateBy } from 'class-validator';

export interface RedisHost {
  host: string;
  port: number;
}

export interface RedisTarget {
  kind: 'single' | 'sentinel' | 'cluster';
  /** One server, the sentinels, or the first nodes of a cluster. */
  hosts: RedisHost[];
  username?: string;
  password?: string;
  db: number;
  /** The sentinels' name for the master. */
  masterName?: string;
  tls?: { ca?: string };
}

const FORMS: Record<string, { kind: RedisTarget['kind']; port: number; tls: boolean }> = {
  redis: { kind: 'single', port: 6379, tls: false },
  rediss: { kind: 'single', port: 6379, tls: true },
  'redis+sentinel': { kind: 'sentinel', port: 26379, tls: false },
  'rediss+sentinel': { kind: 'sentinel', port: 26379, tls: true },
  'redis+cluster': { kind: 'cluster', port: 6379, tls: false },
  'rediss+cluster': { kind: 'cluster', port: 6379, tls: true },
};
const SCHEMES = Object.keys(FORMS).map((scheme) => `${scheme}://`);

/** Parsed by hand: `URL` takes neither several hosts nor an unencoded @ in a password. */
const URL_PATTERN = /^([a-z+]+):\/\/(?:(.*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** If the URL is wrong, reports every problem at once, without the password. */
export class InvalidRedisUrl extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join(', and '));
  }
}

export function parseRedisUrl(url: string): RedisTarget {
  const [, scheme = '', login, hosts = '', path = '', query = ''] = URL_PATTERN.exec(url) ?? [];
  const form = FORMS[scheme];
  if (!form) throw new InvalidRedisUrl([`must be a URL that starts with ${joinWithOr(SCHEMES)}`]);
  const problems: string[] = [];
  const target: RedisTarget = {
    kind: form.kind,
    hosts: hosts.split(',').map((host) => parseHost(host, form.port, problems)),
    ...parseLogin(login, problems),
    ...parsePath(form.kind, path, problems),
    ...(form.tls && { tls: {} }),
  };
  if (form.kind === 'single' && target.hosts.length > 1)
    problems.push('must name one host; several need redis+sentinel:// or redis+cluster://');
  readQuery(query, target, problems);
  if (problems.length > 0) throw new InvalidRedisUrl(problems);
  return target;
}

export const IsRedisUrl = () => {
  const problemOf = (value: unknown) => {
    try {
      parseRedisUrl(String(value));
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  return ValidateBy({
    name: 'isRedisUrl',
    validator: {
      validate: (value) => problemOf(value) === '',
      defaultMessage: (about) => problemOf(about?.value),
    },
  });
};

function parseHost(text: string, defaultPort: number, problems: string[]): RedisHost {
  const [, bracketed, name = '', port] = /^(?:\[(.*)\]|([^:[\]]*))(?::(.*))?$/.exec(text) ?? [];
  const host = bracketed ?? name;
  const isHost = bracketed === undefined ? /^[\w.-]+$/.test(host) : isIPv6(host);
  // Not quoted: if the host is missing, this is the password.
  if (text === '') problems.push('must name a host');
  else if (!isHost) problems.push('names a host that is none (IPv6 goes into brackets)');
  else if (port !== undefined && !isPort(port)) problems.push('names a port that is none');
  return { host, port: port === undefined ? defaultPort : Number(port) };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

function parseLogin(login: string | undefined, problems: string[]): Partial<RedisTarget> {
  if (login === undefined) return {};
  const [user = '', ...rest] = login.split(':');
  const username = decode(user, 'a user', problems);
  const password = decode(rest.join(':'), 'a password', problems);
  if (password === '') problems.push('names a user without a password (user:password@host)');
  return { ...(username && { username }), password };
}

function parsePath(
  kind: RedisTarget['kind'],
  path: string,
  problems: string[],
): Pick<RedisTarget, 'db' | 'masterName'> {
  if (kind === 'sentinel') {
    const masterName = decode(path, 'a master', problems);
    if (masterName === '') problems.push('must name the master after the sentinels: /mymaster');
    return { db: 0, masterName };
  }
  if (!/^\d{0,4}$/.test(path)) problems.push(`names a database that is no number: /${path}`);
  else if (kind === 'cluster' && Number(path) > 0)
    problems.push(`names database ${path}, and a cluster has only 0`);
  return { db: Number(path) };
}

function readQuery(query: string, { tls }: RedisTarget, problems: string[]): void {
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'ca') problems.push(`has an unknown parameter: ${name}`);
    else if (!tls) problems.push('names a CA (ca=) without TLS: rediss');
    else
      try {
        tls.ca = readFileSync(value, 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        problems.push(`names a CA file that cannot be read: ${value} (${code})`);
      }
  }
}

function decode(text: string, what: string, problems: string[]): string {
  try {
    return decodeURIComponent(text);
  } catch {
    problems.push(`has ${what} with a % that is no percent-encoding (% itself is %25)`);
    return text;
  }
}

function joinWithOr(words: string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
