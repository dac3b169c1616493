import { setMaxListeners } from 'node:events';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SqlEditRecorder } from '../../../platform/audit/sql-edit-recorder.js';
import {
  isNotYetConnected,
  isDatabaseUnavailable,
} from '../../../platform/database/database-errors.js';
import { AbandonedWithdrawals } from './abandoned-withdrawals.js';
import { UnknownWithdrawalAlert } from './unknown-withdrawal-alert.js';
import { UnknownWithdrawalResolver } from './unknown-withdrawal-resolver.js';
import { WithdrawalStore } from '../record/withdrawal-store.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';

const SWEEP_INTERVAL_MS = 30_000;
const WATCH_INTERVAL_MS = 10_000;

/** Finds what a dying process left behind. Runs on every instance; each step is won by one of them. */
@Injectable()
export class WithdrawalSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WithdrawalSweeper.name);
  private timers: NodeJS.Timeout[] = [];
  private running?: Promise<void>;
  private readonly abortController = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly abandoned: AbandonedWithdrawals,
    private readonly store: WithdrawalStore,
    private readonly sqlEdits: SqlEditRecorder,
    private readonly unknownResolver: UnknownWithdrawalResolver,
    private readonly unknownAlert: UnknownWithdrawalAlert,
  ) {
    // One call for each server listens.
    setMaxListeners(0, this.abortController.signal);
  }

  onApplicationBootstrap(): void {
    const watch = () => void this.abandoned.find().catch(() => undefined);
    this.timers = [
      setInterval(() => void this.sweep(), SWEEP_INTERVAL_MS).unref(),
      setInterval(watch, WATCH_INTERVAL_MS).unref(),
    ];
    void this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.abortController.abort();
    await this.running;
  }

  /** One round; a second call meanwhile waits for the same. */
  sweep(): Promise<void> {
    this.running ??= this.runOnce()
      .catch((error: Error) => {
        if (isDatabaseUnavailable(error) || isNotYetConnected(error, this.dataSource))
          this.logger.warn(`the sweep of withdrawals has to wait: ${error.message}`);
        else this.logger.error(error);
      })
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private async runOnce(): Promise<void> {
    const abandoned = await this.abandoned.find();
    await this.sqlEdits.recordAll();
    for (const withdrawal of abandoned) await this.closeAbandoned(withdrawal);
    await this.unknownResolver.resolveAll(this.abortController.signal);
    await this.unknownAlert.check();
  }

  private async closeAbandoned(withdrawal: Withdrawal): Promise<void> {
    const { id, status } = withdrawal;
    if (status === 'sending') {
      const cause = { cause: 'sweeper', evidence: 'nobody wrote down an outcome' } as const;
      if (await this.store.transition(withdrawal, 'sending', 'unknown', cause))
        this.logger.error(`withdrawal ${id} was left in sending: its outcome is unknown`);
      return;
    }
    const cause = { cause: 'sweeper', evidence: 'nothing was sent' } as const;
    const reason = { reason: 'service_unavailable' } as const;
    if (await this.store.transition(withdrawal, 'created', 'failed', cause, reason))
      this.logger.warn(`withdrawal ${id} was left before anything was sent: failed`);
  }
}
