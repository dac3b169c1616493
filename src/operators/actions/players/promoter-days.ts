import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { dayBounds, daysFrom, localDay } from '../../../platform/config/time.js';
import { sqlTime } from '../../../platform/database/sql.js';

/**
 * Both queries cover one day, because only the service knows when a day begins in the configured time zone. They read
 * only indexes. The LEFT JOIN makes every database read the players of the day first.
 */
const PLAYERS_OF_A_DAY = `
  SELECT agent_id AS promoter, COUNT(*) AS registrations, COUNT(entered_at) AS entered
  FROM player WHERE created_at >= ? AND created_at < ? AND agent_id IS NOT NULL
  GROUP BY agent_id ORDER BY agent_id`;
const WITHDRAWALS_OF_A_DAY = `
  SELECT p.agent_id AS promoter, COUNT(DISTINCT w.player_id) AS withdrew, SUM(w.amount) AS amount
  FROM player p LEFT JOIN withdraw w ON w.player_id = p.id AND w.status = 'succeeded'
  WHERE p.created_at >= ? AND p.created_at < ? AND p.agent_id IS NOT NULL GROUP BY p.agent_id`;

/** Limits the connections in use, because counting one day takes two of them. */
const DAYS_AT_ONCE = 2;

/** Counts the players who registered on this day, and their game entries and withdrawals until now. */
export interface PromoterDay {
  day: string;
  promoter: number;
  /** This is null if the table `agent` has no such promoter. */
  name: string | null;
  registrations: number;
  entered: number;
  withdrew: number;
  /** The amount includes only withdrawals that succeeded. */
  amount: number;
}

/** Drivers return sums and some counts as text. */
type CountOf<Column extends string> = { promoter: number } & Record<Column, number | string | null>;

@Injectable()
export class PromoterDays {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  /** Returns whole days, newest first. Promoters that are not in the table `agent` are listed separately. */
  async days(since: Date) {
    const { timezone } = this.settings.current;
    const names = await this.names();
    const limit = pLimit(DAYS_AT_ONCE);
    const counts = limit.map(daysFrom(timezone, since), (day) =>
      this.countsOf(timezone, day, names),
    );
    // After a failure, counting the remaining days would only keep a slow database busy.
    const found = (await counts.finally(() => limit.clearQueue())).flat();
    return {
      timezone,
      since: localDay(timezone, since),
      promoters: found.filter(({ name }) => name !== null),
      unknown: found.filter(({ name }) => name === null),
    };
  }

  private async countsOf(
    timezone: string,
    day: string,
    names: Map<number, string>,
  ): Promise<PromoterDay[]> {
    const { from, to } = dayBounds(timezone, day);
    const bounds = [sqlTime(from), sqlTime(to)];
    const [players, withdrawals] = await Promise.all([
      this.dataSource.query<Array<CountOf<'registrations' | 'entered'>>>(PLAYERS_OF_A_DAY, bounds),
      this.dataSource.query<Array<CountOf<'withdrew' | 'amount'>>>(WITHDRAWALS_OF_A_DAY, bounds),
    ]);
    const withdrawn = new Map(withdrawals.map((row) => [row.promoter, row]));
    return players.map(({ promoter, registrations, entered }) => {
      const { withdrew = 0, amount } = withdrawn.get(promoter) ?? {};
      return {
        day,
        promoter,
        name: names.get(promoter) ?? null,
        registrations: Number(registrations),
        entered: Number(entered),
        withdrew: Number(withdrew),
        amount: Number(amount ?? 0),
      };
    });
  }

  private async names(): Promise<Map<number, string>> {
    const rows = await this.dataSource.query<Array<{ id: number; name: string }>>(
      'SELECT id, name FROM agent',
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
