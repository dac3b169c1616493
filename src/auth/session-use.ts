import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlTime } from '../database/sql-time.js';

const SEEN = 'UPDATE session SET seen_at = ? WHERE player_id = ? AND id = ?';

/** Notes when sessions were used, in the background: no request waits for it, and none fails with it. */
@Injectable()
export class SessionUse {
  private readonly logger = new Logger(SessionUse.name);
  private readonly underWay = new Set<number>();

  constructor(private readonly dataSource: DataSource) {}

  note(playerId: number, id: number): void {
    if (this.underWay.has(id)) return;
    this.underWay.add(id);
    this.dataSource
      .query(SEEN, [sqlTime(new Date()), playerId, id])
      .catch((error: Error) => this.logger.debug(`a use was not noted: ${error.message}`))
      .finally(() => this.underWay.delete(id));
  }
}
