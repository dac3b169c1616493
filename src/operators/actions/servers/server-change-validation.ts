import { isHost, isPort, validateServer } from '../../../features/servers/server-validation.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';

const MAX_MERGE_STEPS = 8;

/** What is wrong with a row as it would be, in words; undefined where nothing is. `others` are all servers but this one. */
export function validateServerChange(server: GameServer, others: GameServer[]): string | undefined {
  return validateServer(server) ?? validateConnections(server) ?? validateMerge(server, others);
}

/** The two ways into the server that players do not see. */
function validateConnections({
  gmAddress,
  gmPort,
  gmPath,
  dbHost,
  dbPort,
}: GameServer): string | undefined {
  for (const [column, host] of [
    ['gm_address', gmAddress],
    ['db_host', dbHost],
  ] as const)
    if (host !== null && !isHost(host)) return `its ${column} is not a host name or address`;
  if (!isPort(gmPort)) return `its gm_port ${gmPort} is not between 1 and 65535`;
  if (dbPort !== null && !isPort(dbPort)) return `its db_port ${dbPort} is not between 1 and 65535`;
  if (!gmPath.startsWith('/')) return 'its gm_path does not start with /';
  return undefined;
}

/** Follows the merges: withdrawals do that too, at most eight steps. */
export function validateMerge(server: GameServer, others: GameServer[]): string | undefined {
  if (server.mergedInto === null) return undefined;
  const byId = new Map(others.map((other) => [other.id, other]));
  let mergedInto: number | null = server.mergedInto;
  for (let step = 1; mergedInto !== null; step++) {
    if (mergedInto === server.id)
      return step === 1
        ? 'it cannot be merged into itself'
        : `server ${server.mergedInto} is merged into it, at the end: that is a circle`;
    const next = byId.get(mergedInto);
    if (!next) return `there is no server ${mergedInto} to be merged into`;
    if (step > MAX_MERGE_STEPS) return `more than ${MAX_MERGE_STEPS} merges follow each other`;
    mergedInto = next.mergedInto;
  }
  return undefined;
}
