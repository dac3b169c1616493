import { AddressList } from '../../../platform/http/request/address.js';

/** Why the service must not connect to this host. Names are compared as text, because whoever runs the DNS of a name chooses its address. */
export function gameHostProblem(host: string, gameHosts: readonly string[]): string | undefined {
  if (gameHosts.length === 0) return undefined;
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const isListed =
    gameHosts.some((entry) => entry.toLowerCase() === name) || AddressList.of(gameHosts).has(name);
  return isListed ? undefined : `${host} is not in game_hosts of the settings`;
}
