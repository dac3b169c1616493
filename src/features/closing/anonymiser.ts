import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { describeClosing } from '../../platform/auth/closing-record.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import { Player } from '../../platform/auth/player.entity.js';
import { deleteBatch } from '../../platform/database/delete-batch.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { runStatement } from '../../platform/database/statement.js';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';
import { hasOpenWithdrawal } from './closing-state.js';
import { TRACES, WAYS_IN } from './personal-data.js';

const BY_THE_SERVICE = { by: 'gatehouse', note: 'closing_at was reached' };
const FORGET_DEVICE = 'ip = NULL, device = NULL, os = NULL, browse = NULL';
const CLOSE = `UPDATE player SET closed_at = ?, disabled_at = COALESCE(disabled_at, ?), email = NULL, password = ?,
    has_second_factor = 0, imported = 0, ver = ver + 1, exported_at = NULL, ${FORGET_DEVICE}
  WHERE id = ? AND closed_at IS NULL AND closing_at <= ?`;
const FINISH = `UPDATE player SET closing_at = NULL, ${FORGET_DEVICE} WHERE id = ? AND closed_at IS NOT NULL`;
const OF_IMPORT = 'FROM import_player WHERE player_id = ?';
const FORGET_IMPORT =
  'UPDATE import_player SET password_sum = 0, email_sum = 0 WHERE player_id = ?';

/** Closes one account: a short transaction ends every way in, then its traces are deleted some at a time. */
@Injectable()
export class Anonymiser {
  private readonly logger = new Logger(Anonymiser.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly audit: AuditLog,
  ) {}

  /** True for the instance that closes it; false where it is not due, kept, closed, or has an open withdrawal. */
  async close(playerId: number, now: Date): Promise<boolean> {
    const closed = await this.rowQueue.inTransaction(`player ${playerId}`, (manager) =>
      this.endWaysIn(manager, playerId, now),
    );
    if (!closed) return false;
    this.logger.log(`${describeClosing(closed, closed.closingAt)}: done`);
    await this.deleteTraces(playerId);
    return true;
  }

  /** Once more, for what was on its way when the account was closed, or was left when a process died. */
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
    const { manager } = this.dataSource;
    const ofImport = `old_key IN (SELECT old_key ${OF_IMPORT})`;
    await runStatement(manager, `DELETE FROM import_finding WHERE ${ofImport}`, [playerId]);
    await runStatement(manager, FORGET_IMPORT, [playerId]);
  }

  private async deleteAll(table: string, playerId: number): Promise<void> {
    while (await deleteBatch(this.dataSource, table, 'player_id = ?', [playerId]));
  }
}
