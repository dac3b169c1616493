import type { DataSource, EntityManager } from 'typeorm';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { type WithdrawalLimits, checkLimits } from './withdrawal-limits.js';
import { appendEvent, findRows, insertRow } from './withdrawal-rows.js';
import { type TransitionCause, type NewWithdrawal } from './withdrawal-statements.js';
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
  return inTransaction(dataSource, (manager) => openInTransaction(manager, newWithdrawal, limits));
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
  const byRequest = requestId === undefined ? '' : requestEvidenceSuffix(requestId);
  return { cause: 'request', evidence: `player ${playerId}${byRequest}` };
}

/** What the evidence ends with where the request is known; operators look for it. */
export function requestEvidenceSuffix(requestId: string): string {
  return `, request ${requestId}`;
}
