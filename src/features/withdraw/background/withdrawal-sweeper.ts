import { setMaxListeners } from 'node:events';
import { Injectable, Logger } from '@nestjs/common';
import { SqlEditRecorder } from '../../../platform/audit/sql-edit-recorder.js';
import { type BackgroundJob, BackgroundJobs } from '../../../platform/database/background-jobs.js';
import { AbandonedWithdrawals } from './abandoned-withdrawals.js';
import { UnknownWithdrawalAlert } from './unknown-withdrawal-alert.js';
import { UnknownWithdrawalResolver } from './unknown-withdrawal-resolver.js';
import { WithdrawalMail } from '../withdrawal-mail.js';
import { WithdrawalStore } from '../record/withdrawal-store.js';
import type { WithdrawalStatus } from '../record/withdrawal-status.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';

const SWEEP_INTERVAL_MS = 30_000;
const WATCH_INTERVAL_MS = 10_000;

/** Finds what a dying process left behind. Runs on every instance; each step is done by one of them. */
@Injectable()
export class WithdrawalSweeper {
  readonly job: BackgroundJob;
  readonly watch: BackgroundJob;
  private readonly logger = new Logger(WithdrawalSweeper.name);

  constructor(
    private readonly jobs: BackgroundJobs,
    private readonly abandoned: AbandonedWithdrawals,
    private readonly store: WithdrawalStore,
    private readonly sqlEdits: SqlEditRecorder,
    private readonly unknownResolver: UnknownWithdrawalResolver,
    private readonly unknownAlert: UnknownWithdrawalAlert,
    private readonly mail: WithdrawalMail,
  ) {
    this.job = jobs.every(SWEEP_INTERVAL_MS, 'sweep withdrawals', (stop) => this.sweep(stop));
    this.watch = jobs.every(
      WATCH_INTERVAL_MS,
      'watch open withdrawals',
      async () => void (await abandoned.find()),
    );
  }

  /** A failing step or row does not prevent the others. */
  private async sweep(stop: AbortSignal): Promise<void> {
    // Each game server call adds a listener.
    setMaxListeners(0, stop);
    const abandoned = await this.abandoned.find();
    await this.jobs.attempt('record SQL edits', () => this.sqlEdits.recordAll());
    for (const withdrawal of abandoned) {
      if (stop.aborted) return;
      await this.jobs.attempt(`close withdrawal ${withdrawal.id}`, () =>
        this.closeAbandoned(withdrawal),
      );
    }
    await this.jobs.attempt('resolve unknown withdrawals', () =>
      this.unknownResolver.resolveAll(stop),
    );
    await this.jobs.attempt('count unknown withdrawals', () => this.unknownAlert.check());
  }

  /** With an order number the command may have been sent, whatever status somebody set by SQL. */
  private async closeAbandoned(withdrawal: Withdrawal): Promise<void> {
    const { id, status, orderNo } = withdrawal;
    if (orderNo !== null) {
      if (await this.close(withdrawal, 'sending', 'unknown', 'nobody recorded an outcome')) {
        this.logger.error(
          `withdrawal ${id} was left in ${status || 'an unreadable status'}: its outcome is unknown`,
        );
        this.mail.announce(withdrawal);
      }
    } else if (await this.close(withdrawal, 'created', 'failed', 'nothing was sent'))
      this.logger.warn(`withdrawal ${id} was left before anything was sent: failed`);
  }

  /** Only an SQL edit needs the player's lock, which may take a while. */
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
