import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { RowQueue } from '../../platform/database/row-queue.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { runStatement } from '../../platform/database/statement.js';
import { retryConflicts } from '../../platform/database/transaction.js';
import { ServerVisit } from './server-visit.entity.js';

const MAX_LISTED = 20;

// The player's row is locked first, so that two first entries at once wait for each other instead of colliding.
const UPDATE_VISIT = `UPDATE player p STRAIGHT_JOIN player_zone z ON z.player_id = p.id AND z.server_id = ?
  SET p.server_id = z.server_id, p.ip = ?, p.entered_at = ?, p.enter_count = p.enter_count + 1,
    z.entered_at = ?, z.enter_count = z.enter_count + 1
  WHERE p.id = ?`;

const UPDATE_PLAYER =
  'UPDATE player SET server_id = ?, ip = ?, entered_at = ?, enter_count = enter_count + 1 WHERE id = ?';
const INSERT_VISIT = 'INSERT INTO player_zone (player_id, server_id, entered_at) VALUES (?, ?, ?)';
const REPEAT_VISIT = 'entered_at = ?, enter_count = player_zone.enter_count + 1';

/** Who entered which server: the last entry on the player's row, and one row for each server. */
@Injectable()
export class ServerVisits {
  private readonly isEmbedded: boolean;

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    @InjectRepository(ServerVisit) private readonly rows: Repository<ServerVisit>,
  ) {
    this.isEmbedded = dataSource.options.type === 'better-sqlite3';
  }

  /** One statement for a server that the player has entered before: this is the busiest write. */
  record(playerId: number, serverId: number, address: string): Promise<void> {
    // After a conflict it starts again: the other first entry is then found by the single statement.
    const write = async () => {
      const now = sqlTime(new Date());
      if (!this.isEmbedded) {
        const values = [serverId, address, now, now, playerId];
        const { affected } = await runStatement(this.dataSource.manager, UPDATE_VISIT, values);
        if (affected > 0) return;
      }
      await this.recordFirst(playerId, serverId, address, now);
    };
    return this.rowQueue.run(`player ${playerId}`, () => retryConflicts(write));
  }

  private recordFirst(
    playerId: number,
    serverId: number,
    address: string,
    now: string,
  ): Promise<void> {
    const conflict = this.isEmbedded ? 'ON CONFLICT DO UPDATE SET' : 'ON DUPLICATE KEY UPDATE';
    return this.dataSource.transaction(async (manager) => {
      await runStatement(manager, UPDATE_PLAYER, [serverId, address, now, playerId]);
      const visit = [playerId, serverId, now, now];
      await runStatement(manager, `${INSERT_VISIT} ${conflict} ${REPEAT_VISIT}`, visit);
    });
  }

  /** The most recent ones, newest first. */
  findLatest(playerId: number): Promise<ServerVisit[]> {
    return this.rows.find({
      where: { playerId },
      order: { enteredAt: 'DESC', serverId: 'ASC' },
      take: MAX_LISTED,
    });
  }
}
