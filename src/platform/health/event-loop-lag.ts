import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';

const WINDOW_MS = 10_000;
const WINDOWS = 6;
// The alert EventLoopSlow fires at the same lag.
const SLOW_MS = 500;
const FAST_MS = 250;

/**
 * Decides by the median lag of a minute whether this instance is slow, because a single long pause means nothing. The
 * state ends only well below the lag at which it begins, so that it does not switch back and forth.
 */
@Injectable()
export class EventLoopLag implements OnModuleDestroy {
  private windows: number[] = [];
  private isSlow = false;
  private readonly histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });
  private readonly timer: NodeJS.Timeout;

  constructor(metrics: Metrics) {
    metrics.gauge(
      'gatehouse_event_loop_slow',
      '1 if the event loop lagged by half a second for a minute',
      () => Number(this.isSlow),
    );
    this.histogram.enable();
    this.timer = setInterval(() => {
      this.add(this.histogram.percentile(99) / 1e6);
      this.histogram.reset();
    }, WINDOW_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.histogram.disable();
  }

  add(lagMs: number): void {
    this.windows = [...this.windows, lagMs].slice(-WINDOWS);
    if (this.windows.length < WINDOWS) return;
    const median = this.windows.toSorted((one, other) => one - other)[WINDOWS / 2]!;
    this.isSlow = median >= (this.isSlow ? FAST_MS : SLOW_MS);
  }
}
