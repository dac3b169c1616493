import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuditedTable } from '../../../platform/audit/sql-edits.service.js';
import { lockPlayer } from '../../../platform/auth/player-row-lock.js';
import { sqlTime, runStatement } from '../../../platform/database/sql.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventOutbox } from '../../../platform/events/event-outbox.js';
import { appendEvent, lastStatus, findRows } from './withdrawal-rows.js';
import {
  isFinal,
  isReadable,
  OPEN_STATUS_LIST,
  STATUSES_WITHOUT_DEDUCTION,
} from './withdrawal-status.js';
import type { Withdrawal } from './withdrawal.entity.js';

const NEWEST_SETTLED = 1000;
const MAX_EDITS = 500;
// An SQL edit records neither the operator nor a reason.
const SQL_EDIT = { cause: 'sql', evidence: 'the status was changed by SQL' } as const;

// A plain UPDATE of the status does not set settled_at, so all rows without settled_at are compared, however old they
// are. Of the other rows, the newest are compared, because an SQL edit may correct a settlement or set both columns.
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

/** Finds statuses changed by SQL, by comparing each row with its last event. */
@Injectable()
export class WithdrawalSqlEdits implements AuditedTable<EditedRow> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventOutbox,
  ) {}

  findEdits(): Promise<EditedRow[]> {
    return this.dataSource.query<EditedRow[]>(EDITED);
  }

  async recordEdit(row: EditedRow): Promise<void> {
    await inTransaction(this.dataSource, (manager) => recordSqlEdit(manager, this.events, row));
  }
}

/**
 * Appends the missing event for an SQL edit, and sets the columns that belong to the status. Takes the player's lock,
 * so that only one instance appends the event. Returns the row as it was found.
 */
export async function recordSqlEdit(
  manager: EntityManager,
  events: EventOutbox,
  { id, playerId }: EditedRow,
): Promise<Withdrawal | undefined> {
  await lockPlayer(manager, playerId);
  const [row] = await findRows(manager, 'id = ?', [id]);
  const last = await lastStatus(manager, id);
  if (!row || row.status === last) return row;
  // No event can store an invalid status, so the sweeper closes the withdrawal instead.
  if (!isReadable(row.status)) return row;
  const { status } = row;
  const settledAt = isFinal(status) ? (row.settledAt ?? new Date()) : null;
  const reason = STATUSES_WITHOUT_DEDUCTION.includes(status) ? row.reason : null;
  const { affected } = await runStatement(
    manager,
    'UPDATE withdraw SET settled_at = ?, reason = ? WHERE id = ? AND status = ?',
    [settledAt && sqlTime(settledAt), reason, id, status],
  );
  // If the status has changed in between, the next sweep compares it again.
  if (affected !== 1) return row;
  await appendEvent(manager, id, last, status, SQL_EDIT);
  await announceIfFinal(manager, events, row);
  return row;
}

/** Announces a withdrawal that has just reached a final status. */
export async function announceIfFinal(
  manager: EntityManager,
  events: EventOutbox,
  { id, playerId, serverId, roleId, amount, status, orderNo }: Withdrawal,
): Promise<void> {
  if (!isFinal(status)) return;
  const details = { id, server_id: serverId, role_id: roleId, amount, status, order_no: orderNo };
  await events.announce(manager, 'withdrawal.settled', playerId, details);
}
