import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from './withdrawal-status.js';

@Injectable()
export class WithdrawalMetrics {
  private readonly total: Counter<'status'>;

  constructor(metrics: Metrics) {
    this.total = new Counter({
      name: 'gatehouse_withdrawals_total',
      help: 'Withdrawals that entered a status',
      labelNames: ['status'],
      registers: [metrics.registry],
    });
    for (const status of WITHDRAWAL_STATUSES) this.total.inc({ status }, 0);
  }

  countStatus(status: WithdrawalStatus): void {
    this.total.inc({ status });
  }
}
