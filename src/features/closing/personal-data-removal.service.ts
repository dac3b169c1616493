import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { lockPlayer } from '../../platform/auth/player-row-lock.js';
import { describeClosing, Player } from '../../platform/auth/player.entity.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { deleteBatch, runStatement, sqlTime } from '../../platform/database/sql.js';
import { EventOutbox } from '../../platform/events/event-outbox.js';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';
import { hasOpenWithdrawal } from '../withdraw/record/withdrawal-rows.js';

// These lists name the tables of all features, because closing an account affects every table with player rows. A test
// detects tables that are missing from these lists. `audit_event` is left unchanged, because the service may lack the
// privilege to change its rows.

/** These rows allow signing in, so the transaction that closes the account deletes them. */
export const WAYS_IN = [
  'mailbox_undo',
  'player_connect_threeparty',
  'player_passkey',
  'player_recovery_code',
  'player_totp',
  'session',
];

/** These tables may have many rows per player, so their rows are deleted in batches after the closing transaction. */
export const TRACES = [
  'login_address',
  'login_event',
  'mail_event',
  'player_change',
  'refused_request',
];

/** These rows stay, for example because they concern money, bans or reserved names. */
export const KEPT = [
  'event_outbox',
  'event_queue',
  'import_player',
  'player_alias',
  'player_ban',
  'player_zone',
  'withdraw',
  'withdraw_orphan',
];

// These statements remove personal data from tables whose other data stays. Features must not import operator code, so
// this SQL also names the tables of `gatehouse import`.
const FORGET = [
  `DELETE FROM event_outbox WHERE player_id = ? AND type IN ('player.linked', 'player.unlinked')`,
  'UPDATE withdraw SET address = NULL, session_id = NULL WHERE player_id = ?',
  'DELETE FROM import_finding WHERE old_key IN (SELECT old_key FROM import_player WHERE player_id = ?)',
  'UPDATE import_player SET password_sum = 0, email_sum = 0 WHERE player_id = ?',
];

const BY_THE_SERVICE = { by: 'gatehouse', note: 'closing_at was reached' };
const FORGET_DEVICE = 'ip = NULL, device = NULL, os = NULL, browse = NULL, language = NULL';
const CLOSE = `UPDATE player SET closed_at = ?, disabled_at = COALESCE(disabled_at, ?), email = NULL, password = ?,
    has_second_factor = 0, imported = 0, ver = ver + 1, exported_at = NULL, ${FORGET_DEVICE}
  WHERE id = ? AND closed_at IS NULL AND closing_at <= ?`;
const FINISH = `UPDATE player SET closing_at = NULL, ${FORGET_DEVICE} WHERE id = ? AND closed_at IS NOT NULL`;

/**
 * Closes an account permanently. A short transaction removes the e-mail address, the password and every way to sign in.
 * Afterwards, the login and e-mail history is deleted in batches. The account keeps its name.
 */
@Injectable()
export class PersonalDataRemovalService {
  private readonly logger = new Logger(PersonalDataRemovalService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly audit: AuditLog,
    private readonly events: EventOutbox,
  ) {}

  /** Returns false if the account is not due, was closed by another instance, or has an open withdrawal. */
  async close(playerId: number, now: Date): Promise<boolean> {
    const closed = await this.rowQueue.inTransaction(`player ${playerId}`, (manager) =>
      this.endWaysIn(manager, playerId, now),
    );
    if (!closed) return false;
    this.logger.log(`${describeClosing(closed, closed.closingAt)}: done`);
    await this.deleteTraces(playerId);
    return true;
  }

  /** Repeats the removal, because a request may have added rows during the closing, or a process may have died. */
  async finish(playerId: number): Promise<void> {
    for (const table of WAYS_IN) await this.deleteAll(table, playerId);
    await this.deleteTraces(playerId);
    await runStatement(this.dataSource.manager, FINISH, [playerId]);
  }

  private async endWaysIn(
    manager: EntityManager,
    id: number,
    now: Date,
  ): Promise<Player | undefined> {
    await lockPlayer(manager, id);
    if (await hasOpenWithdrawal(manager, id)) return undefined;
    const before = await manager.findOneBy(Player, { id });
    const values = [sqlTime(now), sqlTime(now), UNUSABLE_PASSWORD, id, sqlTime(now)];
    const { affected } = await runStatement(manager, CLOSE, values);
    if (affected !== 1 || !before) return undefined;
    for (const table of WAYS_IN)
      await runStatement(manager, `DELETE FROM ${table} WHERE player_id = ?`, [id]);
    await this.events.announce(manager, 'player.closed', id);
    await this.audit.write(manager, BY_THE_SERVICE, {
      act: 'player.closed',
      subject: `player ${id}`,
      before: { closing_at: before.closingAt?.toISOString() ?? null, closed_at: null },
      after: { closing_at: null, closed_at: now.toISOString() },
    });
    return before;
  }

  private async deleteTraces(playerId: number): Promise<void> {
    for (const table of TRACES) await this.deleteAll(table, playerId);
    for (const sql of FORGET) await runStatement(this.dataSource.manager, sql, [playerId]);
  }

  private async deleteAll(table: string, playerId: number): Promise<void> {
    while (await deleteBatch(this.dataSource, table, 'player_id = ?', [playerId]));
  }
}
