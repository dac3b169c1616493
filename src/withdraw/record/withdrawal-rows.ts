import type { EntityManager } from 'typeorm';
import { sqlTime } from '../../database/sql-time.js';
import { runStatement, selectRows } from '../../database/statement.js';
import type { EventCause } from './withdrawal-event.entity.js';
import { Withdrawal } from './withdrawal.entity.js';
import { isFinal, type WithdrawalStatus } from './withdrawal-states.js';

// Plain statements: TypeORM's entities take several times the processor time of the statement.

const LONGEST_EVIDENCE = 1000;
const COLUMNS = `id, player_id AS playerId, server_id AS serverId, zone_id AS zoneId, role_id AS roleId,
  role_name AS roleName, amount, status, reason, order_no AS orderNo, idempotency_key AS idempotencyKey,
  balance_before AS balanceBefore, created_at AS createdAt, sent_at AS sentAt, settled_at AS settledAt, asks,
  asked_at AS askedAt, noted_status AS notedStatus, gm_host AS gmHost, gm_port AS gmPort, gm_path AS gmPath`;
// An id alone does not identify a withdrawal: after a failover the database may have given it out again.
const SAME = `id = ? AND player_id = ? AND zone_id = ? AND role_id = ? AND amount = ? AND created_at = ?`;

export interface Because {
  cause: EventCause;
  evidence: string;
}

export type Opening = Pick<
  Withdrawal,
  'playerId' | 'serverId' | 'zoneId' | 'roleId' | 'roleName' | 'amount' | 'idempotencyKey'
>;

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

export async function findRows(
  manager: EntityManager,
  condition: string,
  values: unknown[],
): Promise<Withdrawal[]> {
  const sql = `SELECT ${COLUMNS} FROM withdraw WHERE ${condition}`;
  return (await selectRows(manager, sql, values)).map(toWithdrawal);
}

export async function insertRow(manager: EntityManager, opening: Opening): Promise<Withdrawal> {
  const { playerId, serverId, zoneId, roleId, roleName, amount, idempotencyKey } = opening;
  const createdAt = new Date();
  const { insertId } = await runStatement(
    manager,
    `INSERT INTO withdraw (player_id, server_id, zone_id, role_id, role_name, amount, status, noted_status,
       idempotency_key, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 'created', 'created', ?, ?)`,
    [playerId, serverId, zoneId, roleId, roleName, amount, idempotencyKey, sqlTime(createdAt)],
  );
  return Object.assign(new Withdrawal(), opening, {
    id: insertId,
    status: 'created',
    notedStatus: 'created',
    reason: null,
    createdAt,
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

/**
 * One step of one withdrawal, where it is in `from` and an event tells of that. From `sending` on the row must bear
 * the order number; before that it must be the same withdrawal. Gives what changed, or undefined where no row matched.
 */
export async function updateRow(
  manager: EntityManager,
  withdrawal: Withdrawal,
  from: WithdrawalStatus,
  to: WithdrawalStatus,
  reason: Reason,
  order?: Order,
): Promise<Partial<Withdrawal> | undefined> {
  const settledAt = isFinal(to) ? new Date() : null;
  const [condition, identity] = identify(withdrawal, from);
  const { affected } = await runStatement(
    manager,
    `UPDATE withdraw SET status = '${to}', noted_status = '${to}', reason = ?, settled_at = ?
       ${order ? ', order_no = ?, balance_before = ?, sent_at = ?, gm_host = ?, gm_port = ?, gm_path = ?' : ''}
     WHERE ${condition} AND status = '${from}' AND noted_status = '${from}'`,
    [reason, settledAt && sqlTime(settledAt), ...(order ? valuesOf(order) : []), ...identity],
  );
  return affected === 1 ? { ...order, status: to, notedStatus: to, reason, settledAt } : undefined;
}

/** Appends the event of an edit by SQL that left the row in `status`. False where there was none. */
export async function noteEdit(
  manager: EntityManager,
  { id }: Pick<Withdrawal, 'id'>,
  status: WithdrawalStatus,
): Promise<boolean> {
  const [row] = await findRows(manager, 'id = ? AND status = ? AND edited = 1', [id, status]);
  if (!row) return false;
  const { notedStatus, settledAt, reason } = row;
  const settled = isFinal(status) ? (settledAt ?? new Date()) : null;
  const kept = status === 'refused' || status === 'failed' ? reason : null;
  const { affected } = await runStatement(
    manager,
    `UPDATE withdraw SET noted_status = status, settled_at = ?, reason = ?
     WHERE id = ? AND status = ? AND noted_status = ?`,
    [settled && sqlTime(settled), kept, id, status, notedStatus],
  );
  if (affected !== 1) return false;
  const because = { cause: 'sql', evidence: 'the status was changed by SQL' } as const;
  await appendEvent(manager, id, notedStatus, status, because);
  return true;
}

export async function appendEvent(
  manager: EntityManager,
  withdrawId: number,
  from: WithdrawalStatus | null,
  to: WithdrawalStatus,
  { cause, evidence }: Because,
): Promise<void> {
  await runStatement(
    manager,
    `INSERT INTO withdraw_event (withdraw_id, from_status, to_status, cause, evidence, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [withdrawId, from, to, cause, cut(evidence), sqlTime(Date.now())],
  );
}

export function cut(evidence: string): string {
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

/** The drivers give BIGINT as text, and SQLite every time as well. */
function toWithdrawal(row: Record<string, unknown>): Withdrawal {
  return Object.assign(new Withdrawal(), row, {
    roleId: Number(row.roleId),
    amount: Number(row.amount),
    balanceBefore: row.balanceBefore === null ? null : Number(row.balanceBefore),
    createdAt: toDate(row.createdAt),
    sentAt: toDate(row.sentAt),
    settledAt: toDate(row.settledAt),
    askedAt: toDate(row.askedAt),
  });
}

function toDate(value: unknown): Date | null {
  return typeof value === 'string' ? new Date(`${value.replace(' ', 'T')}Z`) : (value as Date);
}
