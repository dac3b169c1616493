import { isIP } from 'node:net';
import type { FieldProblem } from '../../platform/http/errors/app-error.js';
import { type GameServer, SERVER_STATUSES } from './game-server.entity.js';

const HOST_NAME_PATTERN =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/**
 * Yields the problems of a row for the operator who edited it. CHECK constraints prevent most of these problems, but a
 * session can disable them, an imported table may lack them, and SQLite stores any type in any column.
 */
export function* serverProblems(server: GameServer): Generator<FieldProblem, undefined> {
  const { name, address, port, status, openAt, group } = server;
  if (!isNonEmptyText(name)) yield { field: 'name', message: 'is empty' };
  if (!isNonEmptyText(address)) yield { field: 'address', message: 'is empty' };
  else yield* hostProblem('address', address);
  yield* portProblem('port', port);
  if (!SERVER_STATUSES.includes(status))
    yield { field: 'status', message: `"${status}" is unknown` };
  if (openAt !== null && !isTime(openAt)) yield { field: 'open_at', message: 'is not a time' };
  if (openAt === null && status === 'scheduled')
    yield { field: 'open_at', message: 'is empty, but a scheduled server needs a time' };
  if (group !== null && !isNonEmptyText(group))
    yield { field: 'zone_group', message: 'is empty; write NULL for none' };
}

export function validateServer(server: GameServer): string | undefined {
  return describeProblem(serverProblems(server).next().value);
}

export function describeProblem(problem: FieldProblem | undefined): string | undefined {
  return problem && `its ${problem.field} ${problem.message}`;
}

export function* hostProblem(field: string, host: string): Generator<FieldProblem, undefined> {
  if (isIP(host) === 0 && !HOST_NAME_PATTERN.test(host))
    yield { field, message: 'is not a host name or address' };
}

export function* portProblem(field: string, port: unknown): Generator<FieldProblem, undefined> {
  if (!Number.isInteger(port) || Number(port) < 1 || Number(port) > 65535)
    yield { field, message: `${String(port)} is not between 1 and 65535` };
}

function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isTime(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}
