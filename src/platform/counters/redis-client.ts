import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from '../config/redis-url.js';

export type RedisClient = Redis | Cluster;

const CONNECT_TIMEOUT_MS = 2000;
const SENTINEL_TIMEOUT_MS = 1000;
const retryDelay = (attempt: number) => Math.min(attempt * 100, 500);

// Requests never wait for Redis. A command that cannot be sent immediately fails and is not sent again.
const FAIL_FAST = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // By default, ioredis looks up only IPv4 addresses.
  family: 0,
} satisfies RedisOptions;

export function createRedisClient(target: RedisTarget): RedisClient {
  const { kind, hosts, username, password, db, tls } = target;
  const login = { username, password, tls };
  if (kind === 'cluster')
    return new Cluster(hosts, {
      enableOfflineQueue: false,
      clusterRetryStrategy: retryDelay,
      // A command must fail immediately, so that the service can count in memory.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshInterval: 2000,
      // A certificate contains the host name, not the address.
      ...(tls && { dnsLookup: (name, found) => found(null, name) }),
      redisOptions: { connectTimeout: CONNECT_TIMEOUT_MS, family: 0, ...login },
    });
  if (kind === 'sentinel') return sentinelClient(target);
  return new Redis({ ...hosts[0]!, db, ...login, ...FAIL_FAST, retryStrategy: retryDelay });
}

function sentinelClient({ hosts, masterName, username, password, tls }: RedisTarget): Redis {
  const client = new Redis({
    ...FAIL_FAST,
    retryStrategy: retryDelay,
    sentinels: hosts,
    name: masterName!,
    username,
    password,
    tls,
    sentinelTLS: tls,
    enableTLSForSentinelMode: tls !== undefined,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: retryDelay,
    // The client leaves the old master as soon as a sentinel announces the new one.
    failoverDetector: true,
  });
  // Most sentinels have no password. Those that require one get the servers' password.
  client.on('sentinelError', (error: Error) => {
    if (/NOAUTH/.test(error.message))
      Object.assign(client.options, { sentinelUsername: username, sentinelPassword: password });
  });
  return client;
}
