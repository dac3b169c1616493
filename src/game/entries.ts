import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { sqlTime } from '../database/sql-time.js';
import { runStatement } from '../database/statement.js';
import { retryConflicts } from '../database/transaction.js';
import { PlayerZone } from './player-zone.entity.js';

const MOST_LISTED = 20;

// The player's row is locked first, so that two first entries at once wait for each other instead of colliding.
const AGAIN = `UPDATE player p STRAIGHT_JOIN player_zone z ON z.player_id = p.id AND z.server_id = ?
  SET p.server_id = z.server_id, p.ip = ?, p.entered_at = ?, p.enter_count = p.enter_count + 1,
    z.entered_at = ?, z.enter_count = z.enter_count + 1
  WHERE p.id = ?`;

const PLAYER =
  'UPDATE player SET server_id = ?, ip = ?, entered_at = ?, enter_count = enter_count + 1 WHERE id = ?';
const ZONE = 'INSERT INTO player_zone (player_id, server_id, entered_at) VALUES (?, ?, ?)';
const ZONE_AGAIN = 'entered_at = ?, enter_count = player_zone.enter_count + 1';

/** Who entered which zone: the last entry on the player's row, and one row for each zone. */
@Injectable()
export class Entries {
  private readonly isEmbedded: boolean;

  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(PlayerZone) private readonly rows: Repository<PlayerZone>,
  ) {
    this.isEmbedded = dataSource.options.type === 'better-sqlite3';
  }

  /** One statement for a zone that the player has entered before: this is the busiest write. */
  add(playerId: number, serverId: number, address: string): Promise<void> {
    // From the start after a conflict: who met another first entry goes on with the one statement.
    return retryConflicts(async () => {
      const now = sqlTime(new Date());
      if (!this.isEmbedded) {
        const again = [serverId, address, now, now, playerId];
        const { affected } = await runStatement(this.dataSource.manager, AGAIN, again);
        if (affected > 0) return;
      }
      await this.addFirst(playerId, serverId, address, now);
    });
  }

  private addFirst(
    playerId: number,
    serverId: number,
    address: string,
    now: string,
  ): Promise<void> {
    const conflict = this.isEmbedded ? 'ON CONFLICT DO UPDATE SET' : 'ON DUPLICATE KEY UPDATE';
    return this.dataSource.transaction(async (manager) => {
      await runStatement(manager, PLAYER, [serverId, address, now, playerId]);
      const zone = [playerId, serverId, now, now];
      await runStatement(manager, `${ZONE} ${conflict} ${ZONE_AGAIN}`, zone);
    });
  }

  /** The last ones, newest first. */
  latestOf(playerId: number): Promise<PlayerZone[]> {
    return this.rows.find({
      where: { playerId },
      order: { enteredAt: 'DESC', serverId: 'ASC' },
      take: MOST_LISTED,
    });
  }
}
