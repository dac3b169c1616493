import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../metrics/metrics.js';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from './withdrawal-states.js';

@Injectable()
export class WithdrawalCount {
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

  entered(status: WithdrawalStatus): void {
    this.total.inc({ status });
  }
}
