import type { EntityManager } from 'typeorm';
import { sqlTime, toTime, runStatement, selectRows } from '../../../platform/database/sql.js';
import { isFinal, type WithdrawalStatus } from './withdrawal-status.js';
import { Withdrawal, type EventCause } from './withdrawal.entity.js';

// This file uses plain SQL statements, because TypeORM's entities take several times the CPU time.

const MAX_EVIDENCE_LENGTH = 1000;

const COLUMNS = `id, player_id AS playerId, server_id AS serverId, role_server_id AS roleServerId, role_id AS roleId,
  role_name AS roleName, amount, status, reason, order_no AS orderNo, idempotency_key AS idempotencyKey,
  request_id AS requestId, address, session_id AS sessionId, balance_before AS balanceBefore, created_at AS createdAt, sent_at AS sentAt, settled_at AS settledAt, asks,
  asked_at AS askedAt, gm_host AS gmHost, gm_port AS gmPort, gm_path AS gmPath`;
const SELECT = `SELECT ${COLUMNS} FROM withdraw WHERE `;
// The id alone does not identify a withdrawal, because the database may assign the same id again after a failover.
const SAME_WITHDRAWAL = `id = ? AND player_id = ? AND role_server_id = ? AND role_id = ? AND amount = ? AND created_at = ?`;
// The hint saves the optimizer from choosing among ten indexes. SQLite ignores the hint.
const FORCE_PRIMARY_KEY = '/*! FORCE INDEX (PRIMARY) */';

export async function findRows(
  manager: EntityManager,
  condition: string,
  values: unknown[],
): Promise<Withdrawal[]> {
  return (await selectRows(manager, SELECT + condition, values)).map(toWithdrawal);
}

/** Returns an SQL condition for a statement about players. `playerId` names the column with the player's id. */
export const hasOpenWithdrawalSql = (playerId: string) =>
  `EXISTS (SELECT 1 FROM withdraw WHERE withdraw.player_id = ${playerId} AND withdraw.is_open = 1)`;

/** The caller must hold the player's lock, because withdrawals are created under this lock. */
export async function hasOpenWithdrawal(
  manager: EntityManager,
  playerId: number,
): Promise<boolean> {
  const sql = 'SELECT id FROM withdraw WHERE player_id = ? AND is_open = 1 LIMIT 1';
  return (await selectRows(manager, sql, [playerId])).length > 0;
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
  | 'requestId'
  | 'address'
  | 'sessionId'
  | 'createdAt'
>;

/** Holds the values that a withdrawal gets when it enters `sending`. */
export interface SentOrder {
  orderNo: string;
  balanceBefore: number;
  sentAt: Date;
  gmHost: string;
  gmPort: number;
  gmPath: string;
}

export type FailureReason = Withdrawal['reason'];

export async function insertRow(
  manager: EntityManager,
  newWithdrawal: NewWithdrawal,
): Promise<Withdrawal> {
  const { playerId, serverId, roleServerId, roleId, roleName, amount } = newWithdrawal;
  const { idempotencyKey, requestId, address, sessionId, createdAt } = newWithdrawal;
  const { insertId } = await runStatement(
    manager,
    `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, idempotency_key, request_id,
       address, session_id, created_at, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'created')`,
    [
      playerId,
      serverId,
      roleServerId,
      roleId,
      roleName,
      amount,
      idempotencyKey,
      requestId,
      address,
      sessionId,
      sqlTime(createdAt),
    ],
  );
  return Object.assign(new Withdrawal(), newWithdrawal, {
    id: insertId,
    status: 'created',
    reason: null,
    settledAt: null,
    orderNo: null,
    balanceBefore: null,
    sentAt: null,
    asks: 0,
    askedAt: null,
    gmHost: null,
    gmPort: null,
    gmPath: null,
  } as const);
}

/** Finds the row by order number. If a failover undid the step to `sending`, finds the `created` row instead. */
export async function findOrderRow(
  manager: EntityManager,
  sent: Withdrawal,
  { orderNo }: SentOrder,
): Promise<Withdrawal | undefined> {
  const [row] = await findRows(manager, 'order_no = ?', [orderNo]);
  if (row) return row;
  const [condition, identity] = identityCondition(
    Object.assign(new Withdrawal(), sent, { orderNo: null }),
  );
  return (await findRows(manager, `${condition} AND status = 'created'`, identity))[0];
}

/**
 * Moves a withdrawal from `from` to `to`. The row must match by order number or, without one, by the columns that
 * identify a withdrawal. Returns the changed columns, or undefined if no row matched.
 */
export async function updateRow(
  manager: EntityManager,
  withdrawal: Withdrawal,
  from: WithdrawalStatus,
  to: WithdrawalStatus,
  reason: FailureReason,
  order?: SentOrder,
): Promise<Partial<Withdrawal> | undefined> {
  const settledAt = isFinal(to) ? new Date() : null;
  const [condition, identity] = identityCondition(withdrawal);
  const { affected } = await runStatement(
    manager,
    `UPDATE withdraw ${FORCE_PRIMARY_KEY} SET status = ?, reason = ?, settled_at = ?
       ${order ? ', order_no = ?, balance_before = ?, sent_at = ?, gm_host = ?, gm_port = ?, gm_path = ?' : ''}
     WHERE ${condition} AND status = ?`,
    [
      to,
      reason,
      settledAt && sqlTime(settledAt),
      ...(order ? orderValues(order) : []),
      ...identity,
      from,
    ],
  );
  return affected === 1 ? { status: to, reason, settledAt, ...order } : undefined;
}

function identityCondition(row: Withdrawal): [string, unknown[]] {
  const { id, orderNo, playerId, roleServerId, roleId, amount, createdAt } = row;
  if (orderNo !== null) return ['id = ? AND order_no = ?', [id, orderNo]];
  const same = [id, playerId, roleServerId, roleId, amount, sqlTime(createdAt)];
  return [`${SAME_WITHDRAWAL} AND order_no IS NULL`, same];
}

function orderValues(order: SentOrder): unknown[] {
  const { orderNo, balanceBefore, sentAt, gmHost, gmPort, gmPath } = order;
  return [orderNo, balanceBefore, sqlTime(sentAt), gmHost, gmPort, gmPath];
}

/** Converts a row, because the drivers return BIGINT as text, and SQLite also returns times as text. */
function toWithdrawal(row: Record<string, unknown>): Withdrawal {
  return Object.assign(new Withdrawal(), row, {
    roleId: Number(row.roleId),
    amount: Number(row.amount),
    sessionId: row.sessionId === null ? null : Number(row.sessionId),
    balanceBefore: row.balanceBefore === null ? null : Number(row.balanceBefore),
    createdAt: toTime(row.createdAt),
    sentAt: toTime(row.sentAt),
    settledAt: toTime(row.settledAt),
    askedAt: toTime(row.askedAt),
  });
}

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
  // A string never has more characters than UTF-16 code units.
  if (evidence.length <= MAX_EVIDENCE_LENGTH) return evidence;
  return Array.from(evidence).slice(0, MAX_EVIDENCE_LENGTH).join('');
}
