import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { shareWithPrimary } from '../cluster/metrics-of-all-workers.js';

/** The metrics of this process. Each feature registers its own here; names start with `gatehouse_`. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    shareWithPrimary(this.registry);
  }
}
