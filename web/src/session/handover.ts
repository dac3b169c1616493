import type { Entry } from '../api/contract';

/** The address that starts the game. The fragment never reaches a server, so the token stays in the browser. */
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
