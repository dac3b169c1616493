import type { Server } from '../api/contract';

const RANGE = 20;
const MOST_OF_MINE = 8;
/** Up to this number of servers, the list needs neither tabs nor a search. */
const FEW = 20;

export interface ServerGroup {
  key: string;
  /** The name is null for servers without a group, which are listed by number. */
  name: string | null;
  from: number;
  to: number;
  servers: Server[];
}

export interface MyServer {
  server: Server;
  /** Null means that the player chose the server but never entered it. */
  enteredAt: string | null;
}

/**
 * Returns named groups in the order of their first server. Servers without a group are grouped by number, in
 * twenties.
 */
export function groupServers(servers: Server[]): ServerGroup[] {
  const groups = new Map<string, ServerGroup>();
  for (const server of servers) {
    const start = Math.floor((server.id - 1) / RANGE) * RANGE + 1;
    const key = server.group === null ? `range ${start}` : `group ${server.group}`;
    const group = groups.get(key) ?? {
      key,
      name: server.group,
      from: start,
      to: start + RANGE - 1,
      servers: [],
    };
    group.servers.push(server);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function areFew(servers: Server[]): boolean {
  return servers.length <= FEW && servers.every(({ group }) => group === null);
}

/**
 * Finds servers by number or by part of the name. An exact number comes first, then names that start with the
 * text, then the other matches.
 */
export function searchServers(servers: Server[], text: string): Server[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const rank = ({ id, name }: Server) => {
    if (String(id) === wanted) return 0;
    if (plain(name).startsWith(wanted)) return 1;
    if (plain(name).includes(wanted)) return 2;
    return String(id).startsWith(wanted) ? 3 : 4;
  };
  return servers
    .map((server) => ({ server, rank: rank(server) }))
    .filter((found) => found.rank < 4)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ server }) => server);
}

/** Returns the first recommended server that is open, otherwise the first new one, otherwise the latest one. */
export function recommendedServer(
  servers: Server[],
  isUsable: (server: Server) => boolean,
): Server | undefined {
  const usable = servers.filter((server) => isUsable(server));
  const openedAt = ({ open_at }: Server) => (open_at === null ? 0 : Date.parse(open_at));
  const isNew = ({ status }: Server) => Number(status === 'new');
  return (
    usable.find(({ recommended }) => recommended) ??
    usable.toSorted(
      (one, other) =>
        isNew(other) - isNew(one) || openedAt(other) - openedAt(one) || other.id - one.id,
    )[0]
  );
}

/**
 * Returns the listed servers that the player entered last. For a player who never entered a server, returns the
 * chosen server.
 */
export function myServers(
  servers: Server[],
  entered: { id: number; entered_at: string }[],
  chosenId: number | null,
): MyServer[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  const mine = entered.flatMap(({ id, entered_at }) => {
    const server = byId.get(id);
    return server ? [{ server, enteredAt: entered_at }] : [];
  });
  const chosen = chosenId === null ? undefined : byId.get(chosenId);
  if (mine.length === 0 && chosen) return [{ server: chosen, enteredAt: null }];
  return mine.slice(0, MOST_OF_MINE);
}

/** Treats full-width digits and letters, as typed on Chinese keyboards, like plain ones. */
function plain(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
