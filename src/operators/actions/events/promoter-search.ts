import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { dayBounds, daysFrom, localDay } from '../../../platform/config/time.js';
import { sqlTime } from '../../../platform/database/sql.js';

/** Runs once per day, because only the service knows when a day begins in the time zone. */
const PROMOTERS_OF_A_DAY = `
  SELECT promoter, COUNT(*) AS registrations, SUM(entered) AS entered, COUNT(withdrawn) AS withdrew,
    SUM(withdrawn) AS amount
  FROM (
    SELECT p.agent_id AS promoter, CASE WHEN p.entered_at IS NULL THEN 0 ELSE 1 END AS entered,
      (SELECT SUM(CASE WHEN w.status = 'succeeded' THEN w.amount END) FROM withdraw w
        WHERE w.player_id = p.id) AS withdrawn
    FROM player p WHERE p.created_at >= ? AND p.created_at < ? AND p.agent_id IS NOT NULL
  ) one GROUP BY promoter ORDER BY promoter`;

/** Counts the players who registered on this day, and what they have done until now. */
export interface PromoterDay {
  day: string;
  promoter: number;
  /** Is null if the table `agent` has no such promoter. */
  name: string | null;
  registrations: number;
  entered: number;
  withdrew: number;
  /** Contains only withdrawals that succeeded. */
  amount: number;
}

@Injectable()
export class PromoterSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  /** Returns whole days, the newest first. Promoters that are not in the table `agent` are listed separately. */
  async days(since: Date) {
    const { timezone } = this.settings.current;
    const names = await this.names();
    const found: PromoterDay[] = [];
    for (const day of daysFrom(timezone, since)) {
      const { from, to } = dayBounds(timezone, day);
      const bounds = [sqlTime(from), sqlTime(to)];
      const rows = await this.dataSource.query<Array<Record<string, unknown>>>(
        PROMOTERS_OF_A_DAY,
        bounds,
      );
      for (const row of rows) found.push({ day, ...toCounts(row, names) });
    }
    return {
      timezone,
      since: localDay(timezone, since),
      promoters: found.filter(({ name }) => name !== null),
      unknown: found.filter(({ name }) => name === null),
    };
  }

  private async names(): Promise<Map<number, string>> {
    const rows = await this.dataSource.query<Array<{ id: number; name: string }>>(
      'SELECT id, name FROM agent',
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

function toCounts(row: Record<string, unknown>, names: Map<number, string>) {
  const promoter = Number(row.promoter);
  return {
    promoter,
    name: names.get(promoter) ?? null,
    registrations: Number(row.registrations),
    entered: Number(row.entered),
    withdrew: Number(row.withdrew),
    amount: Number(row.amount ?? 0),
  };
}
