import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { requestEvidenceSuffix } from '../../../features/withdraw/record/create-withdrawal.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';

// A request looks into the server's game database before it opens one.
const [BEFORE_MS, AFTER_MS] = [5000, 60_000];
/** How many are looked through where nobody knows when it was: evidence has no index. */
export const MAX_SCANNED_ROWS = 20_000;
// A client may send the same id again and again.
const MAX_RESULTS = 50;
const ESCAPE = '!';

/** Which withdrawal one request opened. */
@Injectable()
export class WithdrawalsByRequestId {
  constructor(private readonly dataSource: DataSource) {}

  /** `began` is what the id says, which a client may have made up: what is not found there is looked for in the newest. */
  async find(requestId: string, startedAt: Date | undefined): Promise<Withdrawal[]> {
    const ids = startedAt ? await this.findIdsNear(requestId, startedAt.getTime()) : [];
    if (ids.length === 0) ids.push(...(await this.findIdsAmongNewest(requestId)));
    if (ids.length === 0) return [];
    return this.dataSource.manager.findBy(Withdrawal, { id: In(ids) });
  }

  private findIdsNear(requestId: string, at: number): Promise<number[]> {
    const span = [sqlTime(at - BEFORE_MS), sqlTime(at + AFTER_MS)];
    return this.findIds('w.created_at >= ? AND w.created_at < ?', span, requestId);
  }

  private findIdsAmongNewest(requestId: string): Promise<number[]> {
    return this.findIds(
      `w.id > (SELECT MAX(id) FROM withdraw) - ${MAX_SCANNED_ROWS}`,
      [],
      requestId,
    );
  }

  private async findIds(condition: string, values: string[], requestId: string) {
    const suffix = requestEvidenceSuffix(requestId);
    const rows = await this.dataSource.query<Array<{ id: number; evidence: string }>>(
      `SELECT w.id, e.evidence FROM withdraw w JOIN withdraw_event e ON e.withdraw_id = w.id
       WHERE ${condition} AND e.cause = 'request' AND e.evidence LIKE ? ESCAPE '${ESCAPE}'
       ORDER BY w.id DESC LIMIT ${MAX_RESULTS}`,
      [...values, `%${suffix.replaceAll('_', `${ESCAPE}_`)}`],
    );
    // LIKE takes no notice of case.
    return rows.filter(({ evidence }) => evidence.endsWith(suffix)).map(({ id }) => id);
  }
}
