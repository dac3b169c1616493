import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { selectRows } from '../../database/statement.js';
import type { DailyLimit } from './opening-limits.js';
import { WITHOUT_EFFECT } from './withdrawal-states.js';

const WITHOUT = WITHOUT_EFFECT.map((status) => `'${status}'`).join(', ');
const TOTAL = `
  SELECT SUM(amount) AS total FROM withdraw
   WHERE player_id = ? AND created_at >= ? AND created_at < ? AND status NOT IN (${WITHOUT})`;

/** For the page alone: a new withdrawal is held to the limit under the player's lock. */
@Injectable()
export class DailyTotal {
  constructor(private readonly dataSource: DataSource) {}

  async leftOf({ most, from, to }: DailyLimit, playerId: number): Promise<number> {
    const [found = {}] = await selectRows(this.dataSource.manager, TOTAL, [playerId, from, to]);
    return Math.max(0, most - Number(found.total ?? 0));
  }
}
