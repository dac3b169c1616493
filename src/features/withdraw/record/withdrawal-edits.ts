import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuditedTable } from '../../../platform/audit/sql-edit-recorder.js';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { runStatement } from '../../../platform/database/statement.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { appendEvent, lastStatus, SQL_EDIT } from './withdrawal-events.js';
import { findRows } from './withdrawal-rows.js';
import { isFinal, OPEN_STATUSES, STATUSES_WITHOUT_DEDUCTION } from './withdrawal-status.js';
import type { Withdrawal } from './withdrawal.entity.js';

const NEWEST_SETTLED = 1000;
const MAX_EDITS = 500;

const OPEN = OPEN_STATUSES.map((status) => `'${status}'`).join(', ');
// A plain UPDATE of the status leaves settled_at as it was: what was settled so has none, however old it is. Of those
// that have one the newest are compared, in case somebody corrects a settlement or sets both columns.
const EDITED = `
  SELECT id, player_id AS playerId FROM (
    SELECT id, player_id, status FROM withdraw WHERE settled_at IS NULL
    UNION SELECT id, player_id, status FROM withdraw WHERE status IN (${OPEN})
    UNION SELECT * FROM
      (SELECT id, player_id, status FROM withdraw ORDER BY settled_at DESC LIMIT ${NEWEST_SETTLED}) newest
  ) compared
  WHERE status <> COALESCE((SELECT to_status FROM withdraw_event
    WHERE id = (SELECT MAX(id) FROM withdraw_event WHERE withdraw_id = compared.id)), '')
  LIMIT ${MAX_EDITS}`;

type EditedRow = Pick<Withdrawal, 'id' | 'playerId'>;

/** Statuses that somebody changed by SQL, found by comparing them with the last event. */
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
 * Appends the event that an SQL edit left out, and sets the columns that go with the status. Under the player's lock,
 * so that of two instances one does. Returns the row as it was found.
 */
export async function recordSqlEdit(
  manager: EntityManager,
  { id, playerId }: EditedRow,
): Promise<Withdrawal | undefined> {
  await lockPlayer(manager, playerId);
  const [row] = await findRows(manager, 'id = ?', [id]);
  const last = await lastStatus(manager, id);
  if (!row || row.status === last) return row;
  const { status } = row;
  const settledAt = isFinal(status) ? (row.settledAt ?? new Date()) : null;
  const reason = STATUSES_WITHOUT_DEDUCTION.includes(status) ? row.reason : null;
  const { affected } = await runStatement(
    manager,
    'UPDATE withdraw SET settled_at = ?, reason = ? WHERE id = ? AND status = ?',
    [settledAt && sqlTime(settledAt), reason, id, status],
  );
  // Otherwise a step has come between: the next look compares anew.
  if (affected === 1) await appendEvent(manager, id, last, status, SQL_EDIT);
  return row;
}
