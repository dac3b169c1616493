import { MADE } from '../../database/one-trip.js';
import { sqlTime } from '../../database/sql-time.js';
import type { EventCause } from './withdrawal-event.entity.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { isFinal, type WithdrawalStatus } from './withdrawal-states.js';

const LONGEST_EVIDENCE = 1000;
// An id alone does not identify a withdrawal: after a failover the database may have given it out again.
const SAME = `id = ? AND player_id = ? AND zone_id = ? AND role_id = ? AND amount = ? AND created_at = ?`;
// Which of ten keys to use needs no thought. SQLite reads a comment.
const BY_ID = '/*! FORCE INDEX (PRIMARY) */';

export interface Because {
  cause: EventCause;
  evidence: string;
}

export type Opening = Pick<
  Withdrawal,
  | 'playerId'
  | 'serverId'
  | 'zoneId'
  | 'roleId'
  | 'roleName'
  | 'amount'
  | 'idempotencyKey'
  | 'createdAt'
> & { requestId?: string };

/** What a withdrawal gets with the step to `sending`. */
export interface Order {
  orderNo: string;
  balanceBefore: number;
  sentAt: Date;
  gmHost: string;
  gmPort: number;
  gmPath: string;
}

export type Reason = Withdrawal['reason'];

export interface Statement {
  sql: string;
  values: unknown[];
}

export function insertOf(opening: Opening): Statement {
  const { playerId, serverId, zoneId, roleId, roleName, amount, idempotencyKey, createdAt } =
    opening;
  return {
    sql: `INSERT INTO withdraw (player_id, server_id, zone_id, role_id, role_name, amount, status, noted_status,
        idempotency_key, created_at)
      VALUES (?, ?, ?, ?, ?, ?, 'created', 'created', ?, ?)`,
    values: [
      playerId,
      serverId,
      zoneId,
      roleId,
      roleName,
      amount,
      idempotencyKey,
      sqlTime(createdAt),
    ],
  };
}

/**
 * One step of one withdrawal, where it is in `from` and an event tells of that. From `sending` on the row must bear
 * the order number; before that it must be the same withdrawal. `changed` is what the row gets.
 */
export function updateOf(
  withdrawal: Withdrawal,
  from: WithdrawalStatus,
  to: WithdrawalStatus,
  reason: Reason,
  order?: Order,
): Statement & { changed: Partial<Withdrawal> } {
  const settledAt = isFinal(to) ? new Date() : null;
  const [condition, identity] = identify(withdrawal, from);
  return {
    sql: `UPDATE withdraw ${BY_ID} SET status = '${to}', noted_status = '${to}', reason = ?, settled_at = ?
        ${order ? ', order_no = ?, balance_before = ?, sent_at = ?, gm_host = ?, gm_port = ?, gm_path = ?' : ''}
      WHERE ${condition} AND status = '${from}' AND noted_status = '${from}'`,
    values: [
      reason,
      settledAt && sqlTime(settledAt),
      ...(order ? valuesOf(order) : []),
      ...identity,
    ],
    changed: Object.assign({ status: to, notedStatus: to, reason, settledAt }, order),
  };
}

const EVENT = `INSERT INTO withdraw_event (from_status, to_status, cause, evidence, created_at, withdraw_id)
  VALUES (?, ?, ?, ?, ?, `;

export function eventOf(
  withdrawId: number,
  from: WithdrawalStatus | null,
  to: WithdrawalStatus,
  because: Because,
): Statement {
  return { sql: `${EVENT}?)`, values: [...valuesOfEvent(from, to, because), withdrawId] };
}

/** In one trip with the row that it tells of. */
export function firstEventOf(because: Because): Statement {
  return { sql: `${EVENT}${MADE})`, values: valuesOfEvent(null, 'created', because) };
}

function valuesOfEvent(
  from: WithdrawalStatus | null,
  to: WithdrawalStatus,
  { cause, evidence }: Because,
): unknown[] {
  return [from, to, cause, cut(evidence), sqlTime(Date.now())];
}

export function cut(evidence: string): string {
  // As many UTF-16 units cannot be more characters.
  if (evidence.length <= LONGEST_EVIDENCE) return evidence;
  return Array.from(evidence).slice(0, LONGEST_EVIDENCE).join('');
}

function identify(row: Withdrawal, status: WithdrawalStatus): [string, unknown[]] {
  const { id, orderNo, playerId, zoneId, roleId, amount, createdAt } = row;
  if (orderNo !== null && status !== 'created') return ['id = ? AND order_no = ?', [id, orderNo]];
  const same = [id, playerId, zoneId, roleId, amount, sqlTime(createdAt)];
  return [`${SAME} AND order_no IS NULL`, same];
}

function valuesOf({ orderNo, balanceBefore, sentAt, gmHost, gmPort, gmPath }: Order): unknown[] {
  return [orderNo, balanceBefore, sqlTime(sentAt), gmHost, gmPort, gmPath];
}
