import type { EntityManager } from 'typeorm';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { runStatement, selectRows } from '../../../platform/database/statement.js';
import type { EventCause } from './withdrawal-event.entity.js';
import type { WithdrawalStatus } from './withdrawal-status.js';

const MAX_EVIDENCE_LENGTH = 1000;

export interface TransitionCause {
  cause: EventCause;
  evidence: string;
}

/** For edits without an operator and a reason. */
export const SQL_EDIT: TransitionCause = {
  cause: 'sql',
  evidence: 'the status was changed by SQL',
};

export async function appendEvent(
  manager: EntityManager,
  withdrawId: number,
  from: WithdrawalStatus | null,
  to: WithdrawalStatus,
  { cause, evidence }: TransitionCause,
): Promise<void> {
  await runStatement(
    manager,
    `INSERT INTO withdraw_event (withdraw_id, from_status, to_status, cause, evidence, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [withdrawId, from, to, cause, truncateEvidence(evidence), sqlTime(Date.now())],
  );
}

/** The status according to the events; null if there are none. */
export async function lastStatus(
  manager: EntityManager,
  withdrawId: number,
): Promise<WithdrawalStatus | null> {
  const [last] = await selectRows<{ status: WithdrawalStatus }>(
    manager,
    `SELECT to_status AS status FROM withdraw_event
     WHERE id = (SELECT MAX(id) FROM withdraw_event WHERE withdraw_id = ?)`,
    [withdrawId],
  );
  return last?.status ?? null;
}

export function truncateEvidence(evidence: string): string {
  // The number of characters is at most the number of UTF-16 units.
  if (evidence.length <= MAX_EVIDENCE_LENGTH) return evidence;
  return Array.from(evidence).slice(0, MAX_EVIDENCE_LENGTH).join('');
}
