import type { DataSource, EntityManager } from 'typeorm';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { runStatement, selectRows } from '../../../platform/database/statement.js';
import { Withdrawal } from './withdrawal.entity.js';
import { isFinal, type WithdrawalStatus } from './withdrawal-status.js';
import {
  type TransitionCause,
  eventStatement,
  insertStatement,
  type NewWithdrawal,
  type SentOrder,
  type FailureReason,
  updateStatement,
} from './withdrawal-statements.js';

// Plain statements: TypeORM's entities take several times the processor time of the statement.

const COLUMNS = `id, player_id AS playerId, server_id AS serverId, role_server_id AS roleServerId, role_id AS roleId,
  role_name AS roleName, amount, status, reason, order_no AS orderNo, idempotency_key AS idempotencyKey,
  balance_before AS balanceBefore, created_at AS createdAt, sent_at AS sentAt, settled_at AS settledAt, asks,
  asked_at AS askedAt, noted_status AS notedStatus, gm_host AS gmHost, gm_port AS gmPort, gm_path AS gmPath`;
const SELECT = `SELECT ${COLUMNS} FROM withdraw WHERE `;

export async function findRows(
  manager: EntityManager,
  condition: string,
  values: unknown[],
): Promise<Withdrawal[]> {
  return (await selectRows(manager, SELECT + condition, values)).map(toWithdrawal);
}

/** The same outside of any transaction, for what players ask for. */
export async function findRowsOutsideTransaction(
  dataSource: DataSource,
  condition: string,
  values: unknown[],
): Promise<Withdrawal[]> {
  return (await selectRows(dataSource.manager, SELECT + condition, values)).map(toWithdrawal);
}

export async function insertRow(
  manager: EntityManager,
  newWithdrawal: NewWithdrawal,
): Promise<Withdrawal> {
  const { sql, values } = insertStatement(newWithdrawal);
  const { insertId } = await runStatement(manager, sql, values);
  return toInsertedRow(insertId, newWithdrawal);
}

/** As the table has it once it is inserted. */
export function toInsertedRow(id: number, newWithdrawal: NewWithdrawal): Withdrawal {
  const { requestId: _, ...columns } = newWithdrawal;
  return Object.assign(new Withdrawal(), columns, {
    id,
    status: 'created',
    notedStatus: 'created',
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

/** Gives what changed, or undefined where no row matched. */
export async function updateRow(
  manager: EntityManager,
  withdrawal: Withdrawal,
  from: WithdrawalStatus,
  to: WithdrawalStatus,
  reason: FailureReason,
  order?: SentOrder,
): Promise<Partial<Withdrawal> | undefined> {
  const { sql, values, changed } = updateStatement(withdrawal, from, to, reason, order);
  const { affected } = await runStatement(manager, sql, values);
  return affected === 1 ? changed : undefined;
}

/** Appends the event of an edit by SQL that left the row in `status`. False where there was none. */
export async function recordSqlEdit(
  manager: EntityManager,
  { id }: Pick<Withdrawal, 'id'>,
  status: WithdrawalStatus,
): Promise<boolean> {
  const [row] = await findRows(manager, 'id = ? AND status = ? AND edited = 1', [id, status]);
  if (!row) return false;
  const { notedStatus, settledAt, reason } = row;
  const settled = isFinal(status) ? (settledAt ?? new Date()) : null;
  const finalReason = status === 'refused' || status === 'failed' ? reason : null;
  const { affected } = await runStatement(
    manager,
    `UPDATE withdraw SET noted_status = status, settled_at = ?, reason = ?
     WHERE id = ? AND status = ? AND noted_status = ?`,
    [settled && sqlTime(settled), finalReason, id, status, notedStatus],
  );
  if (affected !== 1) return false;
  const cause = { cause: 'sql', evidence: 'the status was changed by SQL' } as const;
  await appendEvent(manager, id, notedStatus, status, cause);
  return true;
}

export async function appendEvent(
  manager: EntityManager,
  withdrawId: number,
  from: WithdrawalStatus | null,
  to: WithdrawalStatus,
  cause: TransitionCause,
): Promise<void> {
  const { sql, values } = eventStatement(withdrawId, from, to, cause);
  await runStatement(manager, sql, values);
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
