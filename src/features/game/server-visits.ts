import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository, Entity } from 'typeorm';
import { IntColumn, TimeColumn } from '../../platform/database/columns.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { sqlTime, runStatement } from '../../platform/database/sql.js';
import { retryConflicts } from '../../platform/database/transaction.js';

const MAX_LISTED = 20;

interface Client {
  address: string;
  language?: string | null;
}

@Entity('player_zone')
export class ServerVisit {
  @IntColumn({ primary: true }) playerId: number;
  @IntColumn({ primary: true }) serverId: number;
  @TimeColumn() enteredAt: Date;
  @IntColumn({ default: 1 }) enterCount: number;
}

// The statement locks the player's row first, so that two concurrent first entries wait instead of failing.
const UPDATE_VISIT = `UPDATE player p STRAIGHT_JOIN player_zone z ON z.player_id = p.id AND z.server_id = ?
  SET p.server_id = z.server_id, p.ip = ?, p.language = COALESCE(?, p.language), p.entered_at = ?,
    p.enter_count = p.enter_count + 1,
    z.entered_at = ?, z.enter_count = z.enter_count + 1
  WHERE p.id = ?`;

const UPDATE_PLAYER =
  'UPDATE player SET server_id = ?, ip = ?, language = COALESCE(?, language), entered_at = ?, enter_count = enter_count + 1 WHERE id = ?';
const INSERT_VISIT = 'INSERT INTO player_zone (player_id, server_id, entered_at) VALUES (?, ?, ?)';
const REPEAT_VISIT = 'entered_at = ?, enter_count = player_zone.enter_count + 1';

/** The player's row holds the latest visit, and `player_zone` has one row per server. */
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

  /** Uses a single statement for a repeated visit, because visits are the most frequent writes. */
  record(playerId: number, serverId: number, { address, language = null }: Client): Promise<void> {
    // After a conflict, the single statement finds the row that the concurrent request inserted.
    const write = async () => {
      const now = sqlTime(new Date());
      if (!this.isEmbedded) {
        const values = [serverId, address, language, now, now, playerId];
        const { affected } = await runStatement(this.dataSource.manager, UPDATE_VISIT, values);
        if (affected > 0) return;
      }
      const player = [serverId, address, language, now, playerId];
      await this.recordFirst(player, [playerId, serverId, now, now]);
    };
    return this.rowQueue.run(`player ${playerId}`, () => retryConflicts(write));
  }

  private recordFirst(player: unknown[], visit: unknown[]): Promise<void> {
    const conflict = this.isEmbedded ? 'ON CONFLICT DO UPDATE SET' : 'ON DUPLICATE KEY UPDATE';
    return this.dataSource.transaction(async (manager) => {
      await runStatement(manager, UPDATE_PLAYER, player);
      await runStatement(manager, `${INSERT_VISIT} ${conflict} ${REPEAT_VISIT}`, visit);
    });
  }

  findLatest(playerId: number): Promise<ServerVisit[]> {
    return this.rows.find({
      where: { playerId },
      order: { enteredAt: 'DESC', serverId: 'ASC' },
      take: MAX_LISTED,
    });
  }
}
