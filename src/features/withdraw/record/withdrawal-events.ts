import type { EntityManager } from 'typeorm';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { runStatement } from '../../../platform/database/statement.js';
import type { EventCause } from './withdrawal-event.entity.js';
import type { WithdrawalStatus } from './withdrawal-status.js';

const MAX_EVIDENCE_LENGTH = 1000;

export interface TransitionCause {
  cause: EventCause;
  evidence: string;
}

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

export function truncateEvidence(evidence: string): string {
  // As many UTF-16 units cannot be more characters.
  if (evidence.length <= MAX_EVIDENCE_LENGTH) return evidence;
  return Array.from(evidence).slice(0, MAX_EVIDENCE_LENGTH).join('');
}
