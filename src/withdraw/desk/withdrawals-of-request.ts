import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { sqlTime } from '../../database/sql-time.js';
import { endOfRequest } from '../record/opening.js';
import { Withdrawal } from '../record/withdrawal.entity.js';

// A request looks into the zone's database before it opens one.
const [BEFORE_MS, AFTER_MS] = [5000, 60_000];
/** How many are looked through where nobody knows when it was: evidence has no index. */
export const NEWEST = 20_000;
// A client may send the same id again and again.
const MOST = 50;
const ESCAPE = '!';

/** Which withdrawal one request opened. */
@Injectable()
export class WithdrawalsOfRequest {
  constructor(private readonly dataSource: DataSource) {}

  /** `began` is what the id says, which a client may have made up: what is not found there is looked for in the newest. */
  async find(requestId: string, began: Date | undefined): Promise<Withdrawal[]> {
    const ids = began ? await this.idsOfSpan(requestId, began.getTime()) : [];
    if (ids.length === 0) ids.push(...(await this.idsOfNewest(requestId)));
    if (ids.length === 0) return [];
    return this.dataSource.manager.findBy(Withdrawal, { id: In(ids) });
  }

  private idsOfSpan(requestId: string, at: number): Promise<number[]> {
    const span = [sqlTime(at - BEFORE_MS), sqlTime(at + AFTER_MS)];
    return this.idsWhere('w.created_at >= ? AND w.created_at < ?', span, requestId);
  }

  private idsOfNewest(requestId: string): Promise<number[]> {
    return this.idsWhere(`w.id > (SELECT MAX(id) FROM withdraw) - ${NEWEST}`, [], requestId);
  }

  private async idsWhere(condition: string, values: string[], requestId: string) {
    const end = endOfRequest(requestId);
    const rows = await this.dataSource.query<Array<{ id: number; evidence: string }>>(
      `SELECT w.id, e.evidence FROM withdraw w JOIN withdraw_event e ON e.withdraw_id = w.id
       WHERE ${condition} AND e.cause = 'request' AND e.evidence LIKE ? ESCAPE '${ESCAPE}'
       ORDER BY w.id DESC LIMIT ${MOST}`,
      [...values, `%${end.replaceAll('_', `${ESCAPE}_`)}`],
    );
    // LIKE takes no notice of case.
    return rows.filter(({ evidence }) => evidence.endsWith(end)).map(({ id }) => id);
  }
}
