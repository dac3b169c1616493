import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlTime } from '../database/sql-time.js';

const TOUCH_SQL = 'UPDATE session SET seen_at = ? WHERE player_id = ? AND id = ?';

/** Records when sessions were used, in the background: no request waits for it or fails with it. */
@Injectable()
export class SessionActivity {
  private readonly logger = new Logger(SessionActivity.name);
  private readonly pending = new Set<number>();

  constructor(private readonly dataSource: DataSource) {}

  touch(playerId: number, id: number): void {
    if (this.pending.has(id)) return;
    this.pending.add(id);
    this.dataSource
      .query(TOUCH_SQL, [sqlTime(new Date()), playerId, id])
      .catch((error: Error) =>
        this.logger.debug(`cannot record the use of a session: ${error.message}`),
      )
      .finally(() => this.pending.delete(id));
  }
}
