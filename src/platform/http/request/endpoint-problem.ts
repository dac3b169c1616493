import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { type Environment, SANDBOX_GM_PATH } from '../../config/environment.js';
import { instanceUrl } from '../../config/host-list-url.js';
import type { SettingsValues } from '../../config/settings.schema.js';
import { AddressList, normalizeAddress } from './address.js';

// The operating system treats 0.0.0.0 and :: as the local machine.
const LOOPBACK = AddressList.of(['127.0.0.0/8', '0.0.0.0/8', '::1', '::']);

interface Endpoint {
  host: string;
  port: number;
  path?: string;
}

type EndpointSettings = Pick<SettingsValues, 'game_hosts' | 'desk'>;

/** Returns the reason if the service must not connect to this endpoint. */
export function endpointProblem(
  endpoint: Endpoint,
  environment: Environment,
  settings: EndpointSettings,
): string | undefined {
  return (
    ownEndpointProblem(endpoint, environment, settings) ??
    gameHostProblem(endpoint.host, settings.game_hosts)
  );
}

/**
 * Returns the reason if the service must not connect to this host. Host names are compared as text, because an attacker
 * may control the DNS records of a name.
 */
export function gameHostProblem(host: string, gameHosts: readonly string[]): string | undefined {
  if (gameHosts.length === 0) return undefined;
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const isListed =
    gameHosts.some((entry) => entry.toLowerCase() === name) || AddressList.of(gameHosts).has(name);
  return isListed ? undefined : `${host} is not in game_hosts of the settings`;
}

/**
 * Returns the reason if the endpoint belongs to the service, its desk or another instance, because a `{"code":0}` from
 * one of these must not count as the success of a command.
 */
export function ownEndpointProblem(
  { host, port, path }: Endpoint,
  environment: Environment,
  { desk }: Pick<SettingsValues, 'desk'>,
): string | undefined {
  const { HOST, PORT, DESK_HOST, DESK_PORT, PUBLIC_URL } = environment;
  const urls = [PUBLIC_URL, ...desk.instances].flatMap((url) => endpointsOf(url));
  const isOwnPort = [PORT, DESK_PORT, ...urls.map((url) => url.port)].includes(port);
  if (!isOwnPort || (environment.embedded && path === SANDBOX_GM_PATH)) return undefined;
  const name = canonicalHost(host);
  const hosts = [HOST, DESK_HOST, ...urls.map((url) => url.host)].map(canonicalHost);
  return isThisMachine(name) || hosts.includes(name)
    ? `${host}:${port} is this service itself`
    : undefined;
}

// The settings name only a few URLs, and each withdrawal needs their endpoints several times.
const endpointsByUrl = new Map<string, Endpoint[]>();

function endpointsOf(text: string): Endpoint[] {
  let endpoints = endpointsByUrl.get(text);
  if (!endpoints) endpointsByUrl.set(text, (endpoints = parseEndpoints(text)));
  return endpoints;
}

function parseEndpoints(text: string): Endpoint[] {
  const url = instanceUrl(text) ?? text;
  if (!URL.canParse(url)) return [];
  const { hostname: host, port } = new URL(url);
  // A load balancer on one of the standard ports usually serves the other one, too.
  const ports = port === '' ? [80, 443] : [Number(port)];
  return ports.map((each) => ({ host, port: each }));
}

/** Returns the same text for all notations of a host, such as 127.1 and 127.0.0.1. */
function canonicalHost(host: string = ''): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const url = `http://${isIP(bare) === 6 ? `[${bare}]` : bare}`;
  const name = URL.canParse(url) ? new URL(url).hostname : bare.toLowerCase();
  return normalizeAddress(name.replace(/^\[(.*)\]$/, '$1'));
}

function isThisMachine(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || LOOPBACK.has(host)) return true;
  if (isIP(host) === 0) return host === canonicalHost(hostname());
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return addresses.some(({ address }) => canonicalHost(address) === host);
}
