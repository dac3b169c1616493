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
import { WithdrawalMail } from '../withdrawal-mail.js';
import { WithdrawalStore } from '../record/withdrawal-store.js';
import type { WithdrawalStatus } from '../record/withdrawal-status.js';
import type { Withdrawal } from '../record/withdrawal.entity.js';

const SWEEP_INTERVAL_MS = 30_000;
const WATCH_INTERVAL_MS = 10_000;

/** Finds what a dying process left behind. Runs on every instance; each step is done by one of them. */
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
    private readonly mail: WithdrawalMail,
  ) {
    // Each game server call adds a listener.
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

  /** One round; a second call meanwhile waits for the same round. */
  sweep(): Promise<void> {
    this.running ??= this.attempt('find abandoned withdrawals', () => this.runOnce()).finally(
      () => (this.running = undefined),
    );
    return this.running;
  }

  /** A failing step or row does not prevent the others. */
  private async runOnce(): Promise<void> {
    const abandoned = await this.abandoned.find();
    await this.attempt('record SQL edits', () => this.sqlEdits.recordAll());
    for (const withdrawal of abandoned) {
      if (this.abortController.signal.aborted) return;
      await this.attempt(`close withdrawal ${withdrawal.id}`, () =>
        this.closeAbandoned(withdrawal),
      );
    }
    await this.attempt('resolve unknown withdrawals', () =>
      this.unknownResolver.resolveAll(this.abortController.signal),
    );
    await this.attempt('count unknown withdrawals', () => this.unknownAlert.check());
  }

  private async attempt(what: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (isDatabaseUnavailable(error) || isNotYetConnected(error, this.dataSource))
        this.logger.warn(`cannot ${what} yet: ${(error as Error).message}`);
      else this.logger.error({ err: error, msg: `cannot ${what}` });
    }
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
