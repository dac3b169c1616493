import type { DataSource, EntityManager } from 'typeorm';
import { inOneTrip } from '../../../platform/database/one-trip.js';
import { playerLockStatement, lockPlayer } from '../../../platform/auth/player-lock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { type WithdrawalLimits, checkLimits, limitsCondition } from './withdrawal-limits.js';
import { appendEvent, findRows, insertRow, toInsertedRow } from './withdrawal-rows.js';
import {
  type TransitionCause,
  firstEventStatement,
  insertStatement,
  type NewWithdrawal,
} from './withdrawal-statements.js';
import type { Withdrawal } from './withdrawal.entity.js';

interface OpenedWithdrawal {
  withdrawal: Withdrawal;
  repeated: boolean;
}

/** Inserts a new withdrawal under the lock on the player, or finds the one that came with the same key before. */
export async function createWithdrawal(
  dataSource: DataSource,
  newWithdrawal: NewWithdrawal,
  limits: WithdrawalLimits,
): Promise<OpenedWithdrawal> {
  const withdrawal = await openInOneRoundTrip(dataSource, newWithdrawal, limits);
  if (withdrawal) return { withdrawal, repeated: false };
  return inTransaction(dataSource, (manager) => openInTransaction(manager, newWithdrawal, limits));
}

/** Undefined, with nothing done, where anything stands against it: the longer way finds out what. */
async function openInOneRoundTrip(
  dataSource: DataSource,
  newWithdrawal: NewWithdrawal,
  limits: WithdrawalLimits,
): Promise<Withdrawal | undefined> {
  const done = await inOneTrip(dataSource, [
    playerLockStatement(newWithdrawal.playerId),
    limitsCondition(newWithdrawal, limits),
    insertStatement(newWithdrawal),
    firstEventStatement(requestCause(newWithdrawal)),
  ]);
  return done && toInsertedRow(done.made, newWithdrawal);
}

async function openInTransaction(
  manager: EntityManager,
  newWithdrawal: NewWithdrawal,
  limits: WithdrawalLimits,
): Promise<OpenedWithdrawal> {
  await lockPlayer(manager, newWithdrawal.playerId);
  const earlier = await checkLimits(manager, newWithdrawal, limits);
  const [repeated] = earlier ? await findRows(manager, 'id = ?', [earlier]) : [];
  if (repeated) return { withdrawal: repeated, repeated: true };
  const withdrawal = await insertRow(manager, newWithdrawal);
  await appendEvent(manager, withdrawal.id, null, 'created', requestCause(newWithdrawal));
  return { withdrawal, repeated: false };
}

function requestCause({ playerId, requestId }: NewWithdrawal): TransitionCause {
  const byRequest = requestId === undefined ? '' : `, request ${requestId}`;
  return { cause: 'request', evidence: `player ${playerId}${byRequest}` };
}
