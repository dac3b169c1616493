import type { DataSource, EntityManager } from 'typeorm';
import { inOneTrip } from '../../database/one-trip.js';
import { lockOf, lockPlayer } from '../../database/player-lock.js';
import { inTransaction } from '../../database/transaction.js';
import { type Limits, holdLimits, withinLimits } from './opening-limits.js';
import { appendEvent, findRows, insertRow, newRow } from './withdrawal-rows.js';
import { type Because, firstEventOf, insertOf, type Opening } from './withdrawal-statements.js';
import type { Withdrawal } from './withdrawal.entity.js';

interface Opened {
  withdrawal: Withdrawal;
  repeated: boolean;
}

/** Inserts a new withdrawal under the lock on the player, or finds the one that came with the same key before. */
export async function open(
  dataSource: DataSource,
  opening: Opening,
  limits: Limits,
): Promise<Opened> {
  const withdrawal = await openInOneTrip(dataSource, opening, limits);
  if (withdrawal) return { withdrawal, repeated: false };
  return inTransaction(dataSource, (manager) => openIn(manager, opening, limits));
}

/** Undefined, with nothing done, where anything stands against it: the longer way finds out what. */
async function openInOneTrip(
  dataSource: DataSource,
  opening: Opening,
  limits: Limits,
): Promise<Withdrawal | undefined> {
  const done = await inOneTrip(dataSource, [
    lockOf(opening.playerId),
    withinLimits(opening, limits),
    insertOf(opening),
    firstEventOf(requested(opening)),
  ]);
  return done && newRow(done.made, opening);
}

async function openIn(manager: EntityManager, opening: Opening, limits: Limits): Promise<Opened> {
  await lockPlayer(manager, opening.playerId);
  const earlier = await holdLimits(manager, opening, limits);
  const [repeated] = earlier ? await findRows(manager, 'id = ?', [earlier]) : [];
  if (repeated) return { withdrawal: repeated, repeated: true };
  const withdrawal = await insertRow(manager, opening);
  await appendEvent(manager, withdrawal.id, null, 'created', requested(opening));
  return { withdrawal, repeated: false };
}

function requested({ playerId, requestId }: Opening): Because {
  const byRequest = requestId === undefined ? '' : endOfRequest(requestId);
  return { cause: 'request', evidence: `player ${playerId}${byRequest}` };
}

/** What the evidence ends with where the request is known; operators look for it. */
export function endOfRequest(requestId: string): string {
  return `, request ${requestId}`;
}
