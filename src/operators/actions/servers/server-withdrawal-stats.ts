import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { HOUR_MS } from '../../../platform/config/time.js';
import { sqlTime } from '../../../platform/database/sql.js';
import {
  OPEN_STATUS_LIST,
  OPEN_STATUSES,
} from '../../../features/withdraw/record/withdrawal-status.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';

export interface ServerWithdrawalCounts {
  open: number;
  unknown: number;
  /** Counts only failures of the game server, not withdrawals that an operator or this service marked as failed. */
  failedLastHour: number;
}

@Injectable()
export class ServerWithdrawalStats {
  constructor(private readonly dataSource: DataSource) {}

  async countByServer(): Promise<Map<number, ServerWithdrawalCounts>> {
    type Row = Record<'server' | 'all_open' | 'all_unknown', number | string>;
    const open = await this.dataSource.query<Row[]>(
      `SELECT role_server_id AS server, COUNT(*) AS all_open,
         SUM(CASE WHEN status = 'unknown' THEN 1 ELSE 0 END) AS all_unknown
        FROM withdraw WHERE status IN (${OPEN_STATUS_LIST}) GROUP BY role_server_id`,
    );
    const failed = await this.dataSource.query<Array<{ server: number; failed: unknown }>>(
      `SELECT role_server_id AS server, COUNT(*) AS failed FROM withdraw
        WHERE created_at > ? AND status = 'failed' AND reason = 'game_server_unavailable' GROUP BY role_server_id`,
      [sqlTime(Date.now() - HOUR_MS)],
    );
    const counts = new Map<number, ServerWithdrawalCounts>();
    for (const row of open)
      counts.set(Number(row.server), {
        open: Number(row.all_open),
        unknown: Number(row.all_unknown),
        failedLastHour: 0,
      });
    for (const row of failed)
      counts.set(row.server, {
        ...(counts.get(row.server) ?? { open: 0, unknown: 0 }),
        failedLastHour: Number(row.failed),
      });
    return counts;
  }

  /** Returns the ids of these servers' withdrawals without an outcome, as this transaction sees them. */
  async findIds(manager: EntityManager, servers: number[]): Promise<number[]> {
    const rows = await manager.find(Withdrawal, {
      select: { id: true },
      where: { roleServerId: In(servers), status: In(OPEN_STATUSES) },
      order: { id: 'ASC' },
    });
    return rows.map(({ id }) => id);
  }
}
