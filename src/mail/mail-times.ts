import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../metrics/metrics.js';

const WINDOW_MS = 600_000;

/** How long the mail server takes: the slowest mail of the last ten minutes, whatever became of it. */
@Injectable()
export class MailTimes {
  /** Only those that no later one was slower than: the first is the slowest. */
  private times: Array<{ at: number; seconds: number }> = [];

  constructor({ registry }: Metrics) {
    const slowest = () => this.slowest();
    new Gauge({
      name: 'gatehouse_mail_slowest_seconds',
      help: 'How long the slowest mail of the last ten minutes took, until it was taken or given up; 0: there was none',
      registers: [registry],
      aggregator: 'max',
      collect() {
        this.set(slowest());
      },
    });
  }

  /** Since `started`, of `performance.now()`. */
  add(started: number): void {
    const at = performance.now();
    const seconds = (at - started) / 1000;
    this.times = [...this.times.filter((one) => one.seconds > seconds), { at, seconds }];
  }

  private slowest(): number {
    const since = performance.now() - WINDOW_MS;
    this.times = this.times.filter(({ at }) => at > since);
    return this.times[0]?.seconds ?? 0;
  }
}
