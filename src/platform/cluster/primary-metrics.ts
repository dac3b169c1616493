import { Counter, Gauge, Registry } from 'prom-client';

/** What the primary shows beside the metrics of its workers, whose own starts are nobody's concern. */
export class PrimaryMetrics {
  readonly registry = new Registry();
  readonly restarts = createWorkerRestartsCounter(this.registry);

  constructor() {
    new Gauge({
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
      registers: [this.registry],
    }).set(Math.round(Date.now() / 1000 - process.uptime()));
  }
}

export function createWorkerRestartsCounter(registry: Registry): Counter {
  return new Counter({
    name: 'gatehouse_worker_restarts_total',
    help: 'Workers that died and were replaced',
    registers: [registry],
  });
}
