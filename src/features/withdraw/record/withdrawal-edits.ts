import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuditedTable } from '../../../platform/audit/sql-edit-recorder.js';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { runStatement } from '../../../platform/database/statement.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { appendEvent, lastStatus, SQL_EDIT } from './withdrawal-events.js';
import { findRows } from './withdrawal-rows.js';
import {
  isFinal,
  isReadable,
  OPEN_STATUS_LIST,
  STATUSES_WITHOUT_DEDUCTION,
} from './withdrawal-status.js';
import type { Withdrawal } from './withdrawal.entity.js';

const NEWEST_SETTLED = 1000;
const MAX_EDITS = 500;

// A plain UPDATE of the status does not set settled_at, so rows settled that way have none, however old they are. Among
// rows that have one, the newest are compared, in case somebody corrects a settlement or sets both columns.
const EDITED = `
  SELECT id, player_id AS playerId FROM (
    SELECT id, player_id, status FROM withdraw WHERE settled_at IS NULL
    UNION SELECT id, player_id, status FROM withdraw WHERE status IN (${OPEN_STATUS_LIST})
    UNION SELECT * FROM
      (SELECT id, player_id, status FROM withdraw ORDER BY settled_at DESC LIMIT ${NEWEST_SETTLED}) newest
  ) compared
  WHERE status <> COALESCE((SELECT to_status FROM withdraw_event
    WHERE id = (SELECT MAX(id) FROM withdraw_event WHERE withdraw_id = compared.id)), '')
  LIMIT ${MAX_EDITS}`;

type EditedRow = Pick<Withdrawal, 'id' | 'playerId'>;

/** Finds statuses changed by SQL, by comparing them with the last event. */
@Injectable()
export class WithdrawalEdits implements AuditedTable<EditedRow> {
  constructor(private readonly dataSource: DataSource) {}

  findEdits(): Promise<EditedRow[]> {
    return this.dataSource.query<EditedRow[]>(EDITED);
  }

  async recordEdit(row: EditedRow): Promise<void> {
    await inTransaction(this.dataSource, (manager) => recordSqlEdit(manager, row));
  }
}

/**
 * Appends the missing event of an SQL edit, and sets the columns that belong to the status. Under the player's lock, so
 * that only one of two instances does it. Returns the row as it was found.
 */
export async function recordSqlEdit(
  manager: EntityManager,
  { id, playerId }: EditedRow,
): Promise<Withdrawal | undefined> {
  await lockPlayer(manager, playerId);
  const [row] = await findRows(manager, 'id = ?', [id]);
  const last = await lastStatus(manager, id);
  if (!row || row.status === last) return row;
  // An event cannot store such a status either: the sweeper closes the withdrawal.
  if (!isReadable(row.status)) return row;
  const { status } = row;
  const settledAt = isFinal(status) ? (row.settledAt ?? new Date()) : null;
  const reason = STATUSES_WITHOUT_DEDUCTION.includes(status) ? row.reason : null;
  const { affected } = await runStatement(
    manager,
    'UPDATE withdraw SET settled_at = ?, reason = ? WHERE id = ? AND status = ?',
    [settledAt && sqlTime(settledAt), reason, id, status],
  );
  // Otherwise a step happened in between: the next round compares again.
  if (affected === 1) await appendEvent(manager, id, last, status, SQL_EDIT);
  return row;
}
