import type { EntityManager } from 'typeorm';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { appendEvent } from './withdrawal-events.js';
import { type DailyLimit, checkLimits } from './withdrawal-limits.js';
import { findRows, insertRow, type NewWithdrawal } from './withdrawal-rows.js';
import type { Withdrawal } from './withdrawal.entity.js';

export interface WithdrawalResult {
  withdrawal: Withdrawal;
  /** A repeated request; nothing was done this time. */
  repeated: boolean;
}

/** Inserts a new withdrawal under the player's lock, or finds the earlier one with the same key. */
export async function createWithdrawal(
  manager: EntityManager,
  newWithdrawal: NewWithdrawal,
  limits: DailyLimit,
): Promise<WithdrawalResult> {
  const { playerId, requestId } = newWithdrawal;
  await lockPlayer(manager, playerId);
  const earlier = await checkLimits(manager, newWithdrawal, limits);
  const [repeated] = earlier ? await findRows(manager, 'id = ?', [earlier]) : [];
  if (repeated) return { withdrawal: repeated, repeated: true };
  const withdrawal = await insertRow(manager, newWithdrawal);
  const evidence = `player ${playerId}, request ${requestId}`;
  await appendEvent(manager, withdrawal.id, null, 'created', { cause: 'request', evidence });
  return { withdrawal, repeated: false };
}
