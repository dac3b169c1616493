import { MADE } from '../../../platform/database/one-trip.js';
import { sqlTime } from '../../../platform/database/sql-time.js';
import type { EventCause } from './withdrawal-event.entity.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { isFinal, type WithdrawalStatus } from './withdrawal-status.js';

const MAX_EVIDENCE_LENGTH = 1000;
// An id alone does not identify a withdrawal: after a failover the database may have given it out again.
const SAME_WITHDRAWAL = `id = ? AND player_id = ? AND role_server_id = ? AND role_id = ? AND amount = ? AND created_at = ?`;
// Which of ten keys to use needs no thought. SQLite reads a comment.
const FORCE_PRIMARY_KEY = '/*! FORCE INDEX (PRIMARY) */';

export interface TransitionCause {
  cause: EventCause;
  evidence: string;
}

export type NewWithdrawal = Pick<
  Withdrawal,
  | 'playerId'
  | 'serverId'
  | 'roleServerId'
  | 'roleId'
  | 'roleName'
  | 'amount'
  | 'idempotencyKey'
  | 'createdAt'
> & { requestId?: string };

/** What a withdrawal gets with the step to `sending`. */
export interface SentOrder {
  orderNo: string;
  balanceBefore: number;
  sentAt: Date;
  gmHost: string;
  gmPort: number;
  gmPath: string;
}

export type FailureReason = Withdrawal['reason'];

export interface Statement {
  sql: string;
  values: unknown[];
}

export function insertStatement(newWithdrawal: NewWithdrawal): Statement {
  const { playerId, serverId, roleServerId, roleId, roleName, amount, idempotencyKey, createdAt } =
    newWithdrawal;
  return {
    sql: `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status, noted_status,
        idempotency_key, request_id, created_at)
      VALUES (?, ?, ?, ?, ?, ?, 'created', 'created', ?, ?, ?)`,
    values: [
      playerId,
      serverId,
      roleServerId,
      roleId,
      roleName,
      amount,
      idempotencyKey,
      newWithdrawal.requestId ?? null,
      sqlTime(createdAt),
    ],
  };
}

/**
 * One step of one withdrawal, where it is in `from` and an event tells of that. From `sending` on the row must bear
 * the order number; before that it must be the same withdrawal. `changed` is what the row gets.
 */
export function updateStatement(
  withdrawal: Withdrawal,
  from: WithdrawalStatus,
  to: WithdrawalStatus,
  reason: FailureReason,
  order?: SentOrder,
): Statement & { changed: Partial<Withdrawal> } {
  const settledAt = isFinal(to) ? new Date() : null;
  const [condition, identity] = identityCondition(withdrawal, from);
  return {
    sql: `UPDATE withdraw ${FORCE_PRIMARY_KEY} SET status = '${to}', noted_status = '${to}', reason = ?, settled_at = ?
        ${order ? ', order_no = ?, balance_before = ?, sent_at = ?, gm_host = ?, gm_port = ?, gm_path = ?' : ''}
      WHERE ${condition} AND status = '${from}' AND noted_status = '${from}'`,
    values: [
      reason,
      settledAt && sqlTime(settledAt),
      ...(order ? orderValues(order) : []),
      ...identity,
    ],
    changed: Object.assign({ status: to, notedStatus: to, reason, settledAt }, order),
  };
}

const INSERT_EVENT = `INSERT INTO withdraw_event (from_status, to_status, cause, evidence, created_at, withdraw_id)
  VALUES (?, ?, ?, ?, ?, `;

export function eventStatement(
  withdrawId: number,
  from: WithdrawalStatus | null,
  to: WithdrawalStatus,
  cause: TransitionCause,
): Statement {
  return { sql: `${INSERT_EVENT}?)`, values: [...eventValues(from, to, cause), withdrawId] };
}

/** In one trip with the row that it tells of. */
export function firstEventStatement(cause: TransitionCause): Statement {
  return { sql: `${INSERT_EVENT}${MADE})`, values: eventValues(null, 'created', cause) };
}

function eventValues(
  from: WithdrawalStatus | null,
  to: WithdrawalStatus,
  { cause, evidence }: TransitionCause,
): unknown[] {
  return [from, to, cause, truncateEvidence(evidence), sqlTime(Date.now())];
}

export function truncateEvidence(evidence: string): string {
  // As many UTF-16 units cannot be more characters.
  if (evidence.length <= MAX_EVIDENCE_LENGTH) return evidence;
  return Array.from(evidence).slice(0, MAX_EVIDENCE_LENGTH).join('');
}

function identityCondition(row: Withdrawal, status: WithdrawalStatus): [string, unknown[]] {
  const { id, orderNo, playerId, roleServerId, roleId, amount, createdAt } = row;
  if (orderNo !== null && status !== 'created') return ['id = ? AND order_no = ?', [id, orderNo]];
  const same = [id, playerId, roleServerId, roleId, amount, sqlTime(createdAt)];
  return [`${SAME_WITHDRAWAL} AND order_no IS NULL`, same];
}

function orderValues({
  orderNo,
  balanceBefore,
  sentAt,
  gmHost,
  gmPort,
  gmPath,
}: SentOrder): unknown[] {
  return [orderNo, balanceBefore, sqlTime(sentAt), gmHost, gmPort, gmPath];
}
