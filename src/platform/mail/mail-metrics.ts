import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import { Metrics } from '../metrics/metrics.js';

const MINUTE_MS = 60_000;
const SLOWEST_OF_MS = 10 * MINUTE_MS;
const MINUTES = 60;
const OUTCOMES = ['taken', 'failed'] as const;

/** From here on somebody who waits for a code begins to doubt. */
export const SLOW_MAIL_SECONDS = 3;

interface Minute {
  minute: number;
  all: number;
  failed: number;
  slow: number;
}

/** How long the mail server takes, and how often it fails. */
@Injectable()
export class MailMetrics {
  /** Only those that no later one was slower than: the first is the slowest. */
  private times: Array<{ at: number; seconds: number }> = [];
  /** Oldest first. */
  private minutes: Minute[] = [];
  private readonly seconds: Histogram<'outcome'>;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    const [slowest, hour] = [() => this.slowest(), () => this.lastHour()];
    this.seconds = new Histogram({
      name: 'gatehouse_mail_seconds',
      help: 'Seconds until the mail server accepted a mail (taken) or sending failed (failed)',
      labelNames: ['outcome'],
      buckets: [0.1, 0.3, 1, SLOW_MAIL_SECONDS, 5, 10],
      registers,
    });
    for (const outcome of OUTCOMES) this.seconds.zero({ outcome });
    new Gauge({
      name: 'gatehouse_mail_slowest_seconds',
      help: 'Seconds of the slowest mail of the last ten minutes; 0: no mail',
      registers,
      collect() {
        this.set(slowest());
      },
    });
    // For those who ask now and then, and keep no history: `gatehouse status` and the desk.
    new Gauge({
      name: 'gatehouse_mails_last_hour',
      help: 'Mails of the last hour: all, failed, and slow (3 seconds or more, failed or not)',
      labelNames: ['which'],
      registers,
      collect() {
        for (const [which, count] of Object.entries(hour())) this.set({ which }, count);
      },
    });
  }

  /** Since `started`, of `performance.now()`. */
  record(started: number, outcome: (typeof OUTCOMES)[number]): void {
    const at = performance.now();
    const seconds = (at - started) / 1000;
    this.seconds.observe({ outcome }, seconds);
    this.times = [...this.times.filter((one) => one.seconds > seconds), { at, seconds }];
    const minute = this.minuteOf(at);
    minute.all++;
    if (outcome === 'failed') minute.failed++;
    if (seconds >= SLOW_MAIL_SECONDS) minute.slow++;
  }

  private minuteOf(at: number): Minute {
    const minute = Math.floor(at / MINUTE_MS);
    const last = this.minutes.at(-1);
    if (last?.minute === minute) return last;
    const next = { minute, all: 0, failed: 0, slow: 0 };
    this.minutes = [...this.minutes.filter((one) => one.minute > minute - MINUTES), next];
    return next;
  }

  private slowest(): number {
    const since = performance.now() - SLOWEST_OF_MS;
    this.times = this.times.filter(({ at }) => at > since);
    return this.times[0]?.seconds ?? 0;
  }

  private lastHour(): Omit<Minute, 'minute'> {
    const since = Math.floor(performance.now() / MINUTE_MS) - MINUTES;
    const counted = this.minutes.filter(({ minute }) => minute > since);
    const sum = (which: keyof Minute) => counted.reduce((total, one) => total + one[which], 0);
    return { all: sum('all'), failed: sum('failed'), slow: sum('slow') };
  }
}
