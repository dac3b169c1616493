import { HostListUrl, type UrlHost } from './host-list-url.js';

export interface RedisTarget {
  kind: 'single' | 'sentinel' | 'cluster';
  /** Contains one server, the sentinels, or the first nodes of a cluster. */
  hosts: UrlHost[];
  username?: string;
  password?: string;
  db: number;
  /** The sentinels know the master by this name. */
  masterName?: string;
  tls?: { ca?: string };
}

const KINDS = { redis: 'single', sentinel: 'sentinel', cluster: 'cluster' } as const;
const DEFAULT_PORTS = {
  redis: 6379,
  rediss: 6379,
  'redis+sentinel': 26379,
  'rediss+sentinel': 26379,
  'redis+cluster': 6379,
  'rediss+cluster': 6379,
};

export function parseRedisUrl(text: string): RedisTarget {
  const url = new HostListUrl(text, DEFAULT_PORTS);
  const { problems, hosts, user: username, password, path } = url;
  const kind = KINDS[(url.scheme.split('+')[1] ?? 'redis') as keyof typeof KINDS];
  const isSentinel = kind === 'sentinel';
  if (url.hasLogin && password === '')
    problems.push('names a user without a password (user:password@host)');
  if (isSentinel && path === '')
    problems.push('must name the master after the sentinels: /mymaster');
  else if (!isSentinel && !/^\d{0,4}$/.test(path))
    problems.push(`names a database that is not a number: /${path}`);
  else if (kind === 'cluster' && Number(path) > 0)
    problems.push(`names database ${path}, and a cluster has only 0`);
  if (kind === 'single' && hosts.length > 1)
    problems.push('must name one host; several need redis+sentinel:// or redis+cluster://');
  const hasTls = url.scheme.startsWith('rediss');
  url.refuseOtherParameters(['ca']);
  if (!hasTls && url.query.has('ca'))
    problems.push('names a CA (ca=) without TLS, which needs rediss');
  const ca = hasTls ? url.readFile('ca') : undefined;
  url.throwProblems();
  return {
    kind,
    hosts,
    ...(username && { username }),
    ...(password && { password }),
    ...(isSentinel ? { db: 0, masterName: path } : { db: Number(path) }),
    ...(hasTls && { tls: ca === undefined ? {} : { ca } }),
  };
}
