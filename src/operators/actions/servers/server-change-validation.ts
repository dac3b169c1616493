import {
  hostProblem,
  portProblem,
  serverProblems,
} from '../../../features/servers/server-validation.js';
import type { FieldProblem } from '../../../platform/http/errors/app-error.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';
import { gameHostProblem } from '../../../features/withdraw/game/game-hosts.js';

const MAX_MERGE_STEPS = 8;

/**
 * The problems of single columns of the resulting row. Only new hosts are checked against `game_hosts`: a host that was
 * removed from it must not prevent a maintenance.
 */
export function* columnProblems(
  before: GameServer | undefined,
  after: GameServer,
  gameHosts: readonly string[],
): Generator<FieldProblem, undefined> {
  const own = [...serverProblems(after), ...connectionProblems(after)];
  yield* own;
  if (own.length === 0 && changesHosts(before, after)) yield* gameHostProblems(after, gameHosts);
}

/** The two hosts of a server that players do not see. */
function* connectionProblems(server: GameServer): Generator<FieldProblem, undefined> {
  const { gmAddress, gmPort, gmPath, dbHost, dbPort } = server;
  if (gmAddress !== null) yield* hostProblem('gm_address', gmAddress);
  if (dbHost !== null) yield* hostProblem('db_host', dbHost);
  yield* portProblem('gm_port', gmPort);
  if (dbPort !== null) yield* portProblem('db_port', dbPort);
  if (!gmPath.startsWith('/')) yield { field: 'gm_path', message: 'does not start with /' };
}

/** Why `game_hosts` forbids the hosts that the service would connect to. */
function* gameHostProblems(
  server: GameServer,
  gameHosts: readonly string[],
): Generator<FieldProblem, undefined> {
  const { gmHost, dbHost } = hostsOf(server);
  const gmProblem = gameHostProblem(gmHost, gameHosts);
  if (gmProblem)
    yield { field: server.gmAddress === null ? 'address' : 'gm_address', message: gmProblem };
  const dbProblem = dbHost === null ? undefined : gameHostProblem(dbHost, gameHosts);
  if (dbProblem) yield { field: 'db_host', message: dbProblem };
}

/** Whether the service would connect to another host than before. */
export function changesHosts(before: GameServer | undefined, after: GameServer): boolean {
  if (!before) return true;
  const [then, now] = [hostsOf(before), hostsOf(after)];
  return then.gmHost !== now.gmHost || then.dbHost !== now.dbHost;
}

function hostsOf({ address, gmAddress, dbHost }: GameServer) {
  return { gmHost: gmAddress ?? address, dbHost };
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
