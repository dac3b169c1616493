import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { selectRows } from '../../../platform/database/statement.js';
import { type DailyLimit, DAILY_SUM_SQL } from './withdrawal-limits.js';

/** For display only: the limit is enforced under the player's lock. */
@Injectable()
export class DailyAllowance {
  constructor(private readonly dataSource: DataSource) {}

  async remaining({ most, from, to }: DailyLimit, playerId: number): Promise<number> {
    const [found = {}] = await selectRows(
      this.dataSource.manager,
      `SELECT (${DAILY_SUM_SQL}) AS total`,
      [playerId, from, to],
    );
    return Math.max(0, most - Number(found.total ?? 0));
  }
}
