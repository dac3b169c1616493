import type { EntityManager } from 'typeorm';
import { sqlTime, toTime } from '../../../platform/database/sql-time.js';
import { runStatement, selectRows } from '../../../platform/database/statement.js';
import { Withdrawal } from './withdrawal.entity.js';
import { isFinal, type WithdrawalStatus } from './withdrawal-status.js';

// Plain statements: TypeORM's entities take several times the CPU time of the statement.

const COLUMNS = `id, player_id AS playerId, server_id AS serverId, role_server_id AS roleServerId, role_id AS roleId,
  role_name AS roleName, amount, status, reason, order_no AS orderNo, idempotency_key AS idempotencyKey,
  request_id AS requestId, balance_before AS balanceBefore, created_at AS createdAt, sent_at AS sentAt, settled_at AS settledAt, asks,
  asked_at AS askedAt, gm_host AS gmHost, gm_port AS gmPort, gm_path AS gmPath`;
const SELECT = `SELECT ${COLUMNS} FROM withdraw WHERE `;
// An id alone does not identify a withdrawal: after a failover the database may have assigned it again.
const SAME_WITHDRAWAL = `id = ? AND player_id = ? AND role_server_id = ? AND role_id = ? AND amount = ? AND created_at = ?`;
// Saves the optimizer a choice among ten indexes; SQLite ignores the hint.
const FORCE_PRIMARY_KEY = '/*! FORCE INDEX (PRIMARY) */';

export async function findRows(
  manager: EntityManager,
  condition: string,
  values: unknown[],
): Promise<Withdrawal[]> {
  return (await selectRows(manager, SELECT + condition, values)).map(toWithdrawal);
}

/** A player's request, as it is inserted. */
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
  | 'createdAt'
>;

/** The values that a withdrawal gets with the step to `sending`. */
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
  const { idempotencyKey, requestId, createdAt } = newWithdrawal;
  const { insertId } = await runStatement(
    manager,
    `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, idempotency_key, request_id,
       created_at, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'created')`,
    [
      playerId,
      serverId,
      roleServerId,
      roleId,
      roleName,
      amount,
      idempotencyKey,
      requestId,
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

/** The row with the order number; or the same withdrawal, `created` again because a failover lost its order. */
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
 * One step of one withdrawal, if it is in `from`. The row must have its order number or, before it has one, be the same
 * withdrawal. Returns the changed columns, or undefined if no row matched.
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

/** The drivers return BIGINT as text, and SQLite returns times as text too. */
function toWithdrawal(row: Record<string, unknown>): Withdrawal {
  return Object.assign(new Withdrawal(), row, {
    roleId: Number(row.roleId),
    amount: Number(row.amount),
    balanceBefore: row.balanceBefore === null ? null : Number(row.balanceBefore),
    createdAt: toTime(row.createdAt),
    sentAt: toTime(row.sentAt),
    settledAt: toTime(row.settledAt),
    askedAt: toTime(row.askedAt),
  });
}
