import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { sqlTime } from '../../database/sql-time.js';
import { endOfRequest } from '../record/opening.js';
import { Withdrawal } from '../record/withdrawal.entity.js';

// A request looks into the zone's database before it opens one.
const [BEFORE_MS, AFTER_MS] = [5000, 60_000];
/** How many are looked through where nobody knows when it was: evidence has no index. */
export const NEWEST = 20_000;
const ESCAPE = '!';

/** Which withdrawal one request opened. */
@Injectable()
export class WithdrawalsOfRequest {
  constructor(private readonly dataSource: DataSource) {}

  async find(requestId: string, began: Date | undefined): Promise<Withdrawal[]> {
    const at = began?.getTime();
    const span = at === undefined ? [] : [sqlTime(at - BEFORE_MS), sqlTime(at + AFTER_MS)];
    const evidence = `%${endOfRequest(requestId).replaceAll('_', `${ESCAPE}_`)}`;
    const rows = await this.dataSource.query<Array<{ id: number }>>(
      `SELECT w.id FROM withdraw w JOIN withdraw_event e ON e.withdraw_id = w.id
       WHERE ${
         at === undefined
           ? `w.id > (SELECT MAX(id) FROM withdraw) - ${NEWEST}`
           : 'w.created_at >= ? AND w.created_at < ?'
       } AND e.cause = 'request' AND e.evidence LIKE ? ESCAPE '${ESCAPE}'`,
      [...span, evidence],
    );
    if (rows.length === 0) return [];
    return this.dataSource.manager.findBy(Withdrawal, { id: In(rows.map(({ id }) => id)) });
  }
}
