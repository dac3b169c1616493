import { setMaxListeners } from 'node:events';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SqlEditsService } from '../../platform/audit/sql-edits.service.js';
import { type BackgroundJob, BackgroundJobs } from '../../platform/database/background-jobs.js';
import { findRows } from './record/withdrawal-rows.js';
import type { WithdrawalStatus } from './record/withdrawal-status.js';
import { WithdrawalStore } from './record/withdrawal-store.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import { WithdrawalAlerts } from './withdrawal-alerts.js';
import { UnknownWithdrawalsService } from './unknown-withdrawals.service.js';
import { WithdrawalMail } from './withdrawal-mail.js';

const SWEEP_INTERVAL_MS = 30_000;
const WATCH_INTERVAL_MS = 10_000;
const ABANDONED_MS = 30_000;
// A command is sent at most 10 s after its row was written, and abandoned at most 10 s later.
const OBSERVED_MS = 25_000;
const MAX_ROWS = 500;

/**
 * Finds withdrawals left behind by a process that died. A skewed clock may have given a row a timestamp in the future,
 * so the time without a change is measured too. A failover may undo the step to `sending` while the process that sent
 * the command still tries to write the outcome, at least every 10 s. Therefore, `created` rows count as abandoned only
 * after uninterrupted observation.
 */
@Injectable()
export class AbandonedWithdrawals {
  private since = new Map<string, number>();

  constructor(private readonly dataSource: DataSource) {}

  /** Returns the abandoned withdrawals. Observation starts again if the database cannot be read. */
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

/** Closes withdrawals that a dying process left behind. All instances sweep, but each step succeeds on only one. */
@Injectable()
export class WithdrawalSweeper {
  readonly job: BackgroundJob;
  readonly watch: BackgroundJob;
  private readonly logger = new Logger(WithdrawalSweeper.name);

  constructor(
    private readonly jobs: BackgroundJobs,
    private readonly abandoned: AbandonedWithdrawals,
    private readonly store: WithdrawalStore,
    private readonly sqlEdits: SqlEditsService,
    private readonly unknown: UnknownWithdrawalsService,
    private readonly alerts: WithdrawalAlerts,
    private readonly mail: WithdrawalMail,
  ) {
    this.job = jobs.every(SWEEP_INTERVAL_MS, 'sweep withdrawals', (stop) => this.sweep(stop));
    this.watch = jobs.every(
      WATCH_INTERVAL_MS,
      'watch open withdrawals',
      async () => void (await abandoned.find()),
    );
  }

  /** If a step or a row fails, the sweep continues with the next one. */
  private async sweep(stop: AbortSignal): Promise<void> {
    // Each call to a game server adds a listener, so the warning about leaks is switched off.
    setMaxListeners(0, stop);
    const abandoned = await this.abandoned.find();
    await this.jobs.attempt('record SQL edits', () => this.sqlEdits.recordAll());
    for (const withdrawal of abandoned) {
      if (stop.aborted) return;
      await this.jobs.attempt(`close withdrawal ${withdrawal.id}`, () =>
        this.closeAbandoned(withdrawal),
      );
    }
    await this.jobs.attempt('resolve unknown withdrawals', () => this.unknown.resolveAll(stop));
    await this.jobs.attempt('count unknown withdrawals', () => this.alerts.check());
  }

  /**
   * A withdrawal with an order number may have been sent, whatever status an SQL edit has set, so it becomes `unknown`.
   * A withdrawal without one becomes `failed`.
   */
  private async closeAbandoned(withdrawal: Withdrawal): Promise<void> {
    const { id, status, orderNo } = withdrawal;
    if (orderNo !== null) {
      if (await this.close(withdrawal, 'sending', 'unknown', 'nobody recorded an outcome')) {
        this.logger.error(
          `withdrawal ${id} was left in ${status || 'an unreadable status'}, so its outcome is unknown`,
        );
        this.mail.announce(withdrawal);
      }
    } else if (await this.close(withdrawal, 'created', 'failed', 'nothing was sent'))
      this.logger.warn(`withdrawal ${id} was left before anything was sent, so it failed`);
  }

  /** Takes the player's lock only after an SQL edit to the status, because waiting for the lock may take a while. */
  private close(
    withdrawal: Withdrawal,
    usual: WithdrawalStatus,
    to: 'unknown' | 'failed',
    evidence: string,
  ): Promise<boolean> {
    const cause = { cause: 'sweeper', evidence } as const;
    const reason = to === 'failed' ? 'service_unavailable' : null;
    return withdrawal.status === usual
      ? this.store.transition(withdrawal, usual, to, cause, { reason })
      : this.store.close(withdrawal, to, cause, reason);
  }
}
