import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { selectRows } from '../../database/statement.js';
import { type DailyLimit, SUM_OF_DAY } from './opening-limits.js';

/** For the page alone: a new withdrawal is held to the limit under the player's lock. */
@Injectable()
export class DailyTotal {
  constructor(private readonly dataSource: DataSource) {}

  async leftOf({ most, from, to }: DailyLimit, playerId: number): Promise<number> {
    const [found = {}] = await selectRows(
      this.dataSource.manager,
      `SELECT (${SUM_OF_DAY}) AS total`,
      [playerId, from, to],
    );
    return Math.max(0, most - Number(found.total ?? 0));
  }
}
