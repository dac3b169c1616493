import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sqlTime } from '../../database/sql-time.js';

const HOUR_MS = 3_600_000;

export interface ZoneWork {
  /** Withdrawals without an outcome. */
  open: number;
  unknown: number;
  failedLastHour: number;
}

// As `is_open` has it, but by status, whose index leads to the few rows that are open.
const OPEN = `status IN ('created', 'sending', 'unknown')`;

/** How withdrawals of the zones stand. By SQL: that feature is built upon this one. */
@Injectable()
export class OpenWork {
  constructor(private readonly dataSource: DataSource) {}

  async byZone(): Promise<Map<number, ZoneWork>> {
    type Row = Record<'zone' | 'all_open' | 'all_unknown', number | string>;
    const open = await this.dataSource.query<Row[]>(
      `SELECT zone_id AS zone, COUNT(*) AS all_open,
         SUM(CASE WHEN status = 'unknown' THEN 1 ELSE 0 END) AS all_unknown
        FROM withdraw WHERE ${OPEN} GROUP BY zone_id`,
    );
    const failed = await this.dataSource.query<Array<{ zone: number; failed: unknown }>>(
      `SELECT zone_id AS zone, COUNT(*) AS failed FROM withdraw
        WHERE created_at > ? AND status = 'failed' GROUP BY zone_id`,
      [sqlTime(Date.now() - HOUR_MS)],
    );
    const work = new Map<number, ZoneWork>();
    for (const row of open)
      work.set(Number(row.zone), {
        open: Number(row.all_open),
        unknown: Number(row.all_unknown),
        failedLastHour: 0,
      });
    for (const row of failed)
      work.set(row.zone, {
        ...(work.get(row.zone) ?? { open: 0, unknown: 0 }),
        failedLastHour: Number(row.failed),
      });
    return work;
  }

  /** The ids of withdrawals of these zones that have no outcome yet, as a transaction sees them. */
  async openIn(manager: EntityManager, zones: number[]): Promise<number[]> {
    const rows = await manager.query<Array<{ id: number }>>(
      `SELECT id FROM withdraw WHERE zone_id IN (${zones.map(() => '?').join()}) AND ${OPEN} ORDER BY id`,
      zones,
    );
    return rows.map(({ id }) => id);
  }
}
