import type { Entry } from '../api/contract';

/** Returns the URL that starts the game. The token is in the fragment, which browsers do not send to servers. */
export function clientAddress(gameClientUrl: string, { account, token, server }: Entry): string {
  const address = new URL(gameClientUrl, location.href);
  address.hash = new URLSearchParams({
    account,
    token,
    server_id: String(server.id),
    server_name: server.name,
    address: server.address,
    port: String(server.port),
  }).toString();
  return address.href;
}
