import type { DatabaseTarget } from '../../../platform/config/database-url.js';
import type { Environment } from '../../../platform/config/environment.js';
import type { SettingsValues } from '../../../platform/config/settings.schema.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import type { FieldProblem } from '../../../platform/http/errors/app-error.js';
import type { GameServer } from '../../../features/servers/game-server.entity.js';
import {
  hostProblem,
  portProblem,
  serverProblems,
} from '../../../features/servers/server-validation.js';
import {
  gameHostProblem,
  ownEndpointProblem,
} from '../../../platform/http/request/endpoint-problem.js';

const MAX_MERGE_STEPS = 8;

interface ServerSurroundings {
  environment: Environment;
  settings: SettingsValues;
  gameDatabase: DatabaseTarget | undefined;
}

/**
 * Yields the problems of the resulting row's columns. Only changed connections are checked against `game_hosts` and the
 * service's own addresses, so that a server whose host has left `game_hosts` can still enter maintenance.
 */
export function* columnProblems(
  before: GameServer | undefined,
  after: GameServer,
  surroundings: ServerSurroundings,
): Generator<FieldProblem, undefined> {
  const own = [
    ...serverProblems(after),
    ...connectionProblems(after),
    ...openingProblem(before, after),
  ];
  yield* own;
  if (own.length === 0 && changesMoneyPath(before, after))
    yield* endpointProblems(after, surroundings);
}

/** Rejects a new combination of `closed` and a future opening time, because operators would expect the server to open. */
function* openingProblem(
  before: GameServer | undefined,
  after: GameServer,
): Generator<FieldProblem, undefined> {
  if (after.status !== 'closed' || !opensLater(after)) return;
  if (before?.status !== 'closed' || Number(before.openAt) !== Number(after.openAt))
    yield {
      field: 'status',
      message:
        'a closed server does not open by itself; choose scheduled to open it at that time, or remove the time',
    };
}

export function opensLater({ openAt }: GameServer): boolean {
  return openAt !== null && Number(openAt) > currentTime();
}

function* connectionProblems(server: GameServer): Generator<FieldProblem, undefined> {
  const { gmAddress, gmPort, gmPath, dbHost, dbPort } = server;
  if (gmAddress !== null) yield* hostProblem('gm_address', gmAddress);
  if (dbHost !== null) yield* hostProblem('db_host', dbHost);
  yield* portProblem('gm_port', gmPort);
  if (dbPort !== null) yield* portProblem('db_port', dbPort);
  if (!gmPath.startsWith('/')) yield { field: 'gm_path', message: 'does not start with /' };
}

function* endpointProblems(
  server: GameServer,
  { environment, settings, gameDatabase }: ServerSurroundings,
): Generator<FieldProblem, undefined> {
  const { gmAddress, gmPort: port, gmPath: path, dbPort } = server;
  const { gmHost: host, dbHost } = hostsOf(server);
  const gmOwn = ownEndpointProblem({ host, port, path }, environment, settings);
  if (gmOwn) yield { field: 'gm_port', message: gmOwn };
  const gmProblem = gameHostProblem(host, settings.game_hosts);
  if (gmProblem) yield { field: gmAddress ? 'gm_address' : 'address', message: gmProblem };
  const dbProblem = dbHost === null ? undefined : gameHostProblem(dbHost, settings.game_hosts);
  if (dbProblem) yield { field: 'db_host', message: dbProblem };
  const [fallback] = gameDatabase?.hosts ?? [];
  const database = { host: dbHost ?? fallback?.host ?? '', port: dbPort ?? fallback?.port ?? 0 };
  const dbOwn = ownEndpointProblem(database, environment, settings);
  if (dbOwn) yield { field: dbPort === null ? 'db_host' : 'db_port', message: dbOwn };
}

/** Returns whether the service would send commands to, or read balances from, a different host than before. */
export function changesMoneyPath(before: GameServer | undefined, after: GameServer): boolean {
  if (!before) return true;
  const then = moneyPathOf(before);
  return moneyPathOf(after).some((value, index) => value !== then[index]);
}

function moneyPathOf(server: GameServer): unknown[] {
  const { gmPort, gmPath, dbPort, mergedInto } = server;
  const { gmHost, dbHost } = hostsOf(server);
  return [gmHost, gmPort, gmPath, dbHost, dbPort, mergedInto];
}

function hostsOf({ address, gmAddress, dbHost }: GameServer) {
  return { gmHost: gmAddress || address, dbHost };
}

/** Follows the chain of merges for at most eight steps, as withdrawals do. */
export function validateMerge(server: GameServer, others: GameServer[]): string | undefined {
  if (server.mergedInto === null) return undefined;
  const byId = new Map(others.map((other) => [other.id, other]));
  let mergedInto: number | null = server.mergedInto;
  for (let step = 1; mergedInto !== null; step++) {
    if (mergedInto === server.id)
      return step === 1
        ? 'it cannot be merged into itself'
        : `server ${server.mergedInto} is merged into it, directly or indirectly, so the merges would form a circle`;
    const next = byId.get(mergedInto);
    if (!next) return `there is no server ${mergedInto} to be merged into`;
    if (step > MAX_MERGE_STEPS) return `more than ${MAX_MERGE_STEPS} merges follow each other`;
    mergedInto = next.mergedInto;
  }
  return undefined;
}
