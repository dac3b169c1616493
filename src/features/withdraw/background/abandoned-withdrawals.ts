import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { findRows } from '../record/withdrawal-rows.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';

const ABANDONED_MS = 30_000;
// A command goes out at most 10 s after its row, and is given up at most 10 s later.
const OBSERVED_MS = 25_000;
const MAX_ROWS = 500;

/**
 * Finds withdrawals left behind by a process that died. It also watches how long each row stays unchanged: rows may be
 * dated ahead, and a failover may have undone the step to `sending` while the process that sent the command still tries
 * to write the outcome, at least every 10 s. So `created` rows count only after they were watched without a break.
 */
@Injectable()
export class AbandonedWithdrawals {
  private since = new Map<string, number>();

  constructor(private readonly dataSource: DataSource) {}

  /** Returns what counts as abandoned now. While the database cannot be read, nothing counts as watched. */
  async find(): Promise<Withdrawal[]> {
    const condition = `status IN ('created', 'sending', '') ORDER BY id LIMIT ${MAX_ROWS}`;
    const rows = await findRows(this.dataSource.manager, condition, []).catch((error) => {
      this.since.clear();
      throw error;
    });
    const before = this.since;
    this.since = new Map(
      rows.map((row) => [keyOf(row), before.get(keyOf(row)) ?? performance.now()]),
    );
    return rows.filter((row) => this.isAbandoned(row));
  }

  private isAbandoned(row: Withdrawal): boolean {
    const { status, createdAt, sentAt } = row;
    const age = Date.now() - (sentAt ?? createdAt).getTime();
    const watched = performance.now() - (this.since.get(keyOf(row)) ?? performance.now());
    if (status === 'sending' && age > ABANDONED_MS) return true;
    return watched > OBSERVED_MS && (age > ABANDONED_MS || age < 0);
  }
}

function keyOf({ id, status, orderNo, createdAt }: Withdrawal): string {
  return `${id} ${status} ${orderNo} ${createdAt.getTime()}`;
}
