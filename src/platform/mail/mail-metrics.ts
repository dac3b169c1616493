import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import { Metrics } from '../metrics/metrics.js';

const MINUTE_MS = 60_000;
const SLOWEST_OF_MS = 10 * MINUTE_MS;
const MINUTES = 60;
const RECENT_MINUTES = 10;
const ACCEPTED = 250;
const NO_REPLY = 'none';
const OUTCOMES = ['taken', 'failed'] as const;

/** From here on a person who waits for a code begins to doubt. */
export const SLOW_MAIL_SECONDS = 3;

interface Minute {
  minute: number;
  all: number;
  failed: number;
  slow: number;
  /** Mails by outcome, and by the mail server's reply. */
  replies: Map<string, { outcome: (typeof OUTCOMES)[number]; reply: string; count: number }>;
}

/** How long the mail server takes, and how often it fails. */
@Injectable()
export class MailMetrics {
  /** Mails that no later one was slower than: the first is the slowest. */
  private times: Array<{ at: number; seconds: number }> = [];
  /** Oldest first. */
  private minutes: Minute[] = [];
  private readonly seconds: Histogram<'outcome'>;

  constructor(metrics: Metrics) {
    const registers = [metrics.registry];
    const recent = () => this.lastTenMinutes();
    this.seconds = new Histogram({
      name: 'gatehouse_mail_seconds',
      help: 'Seconds until the mail server accepted a mail (taken) or sending failed (failed)',
      labelNames: ['outcome'],
      buckets: [0.1, 0.3, 1, SLOW_MAIL_SECONDS, 5, 10],
      registers,
    });
    for (const outcome of OUTCOMES) this.seconds.zero({ outcome });
    metrics.gauge(
      'gatehouse_mail_slowest_seconds',
      'Seconds of the slowest mail of the last ten minutes; 0: no mail',
      () => this.slowest(),
    );
    // For readers without a history: `gatehouse status` and the desk.
    metrics.gauges(
      'gatehouse_mails_last_hour',
      'Mails of the last hour: all, failed, and slow (3 seconds or more, failed or not)',
      'which',
      () => this.lastHour(),
    );
    // Not a counter: a new reply would not show as an increase.
    new Gauge({
      name: 'gatehouse_mails_last_10_minutes',
      help: "Mails of the last ten minutes by outcome and by the mail server's reply; none: it did not answer",
      labelNames: ['outcome', 'reply'],
      registers,
      collect() {
        this.reset();
        this.set({ outcome: 'taken', reply: ACCEPTED }, 0);
        this.set({ outcome: 'failed', reply: NO_REPLY }, 0);
        for (const { outcome, reply, count } of recent()) this.inc({ outcome, reply }, count);
      },
    });
  }

  /** Since `started`, a value of `performance.now()`. */
  record(started: number, outcome: (typeof OUTCOMES)[number], refusal?: number): void {
    const at = performance.now();
    const seconds = (at - started) / 1000;
    this.seconds.observe({ outcome }, seconds);
    this.times = [...this.times.filter((one) => one.seconds > seconds), { at, seconds }];
    const minute = this.minuteOf(at);
    minute.all++;
    if (outcome === 'failed') minute.failed++;
    if (seconds >= SLOW_MAIL_SECONDS) minute.slow++;
    const reply = String(outcome === 'taken' ? ACCEPTED : (refusal ?? NO_REPLY));
    const key = `${outcome} ${reply}`;
    const counted = minute.replies.get(key) ?? { outcome, reply, count: 0 };
    minute.replies.set(key, { ...counted, count: counted.count + 1 });
  }

  private minuteOf(at: number): Minute {
    const minute = Math.floor(at / MINUTE_MS);
    const last = this.minutes.at(-1);
    if (last?.minute === minute) return last;
    const next = { minute, all: 0, failed: 0, slow: 0, replies: new Map() };
    this.minutes = [...this.minutes.filter((one) => one.minute > minute - MINUTES), next];
    return next;
  }

  private slowest(): number {
    const since = performance.now() - SLOWEST_OF_MS;
    this.times = this.times.filter(({ at }) => at > since);
    return this.times[0]?.seconds ?? 0;
  }

  private lastHour() {
    const counted = this.lastMinutes(MINUTES);
    const sum = (which: 'all' | 'failed' | 'slow') =>
      counted.reduce((total, one) => total + one[which], 0);
    return { all: sum('all'), failed: sum('failed'), slow: sum('slow') };
  }

  private lastTenMinutes() {
    return this.lastMinutes(RECENT_MINUTES).flatMap(({ replies }) => [...replies.values()]);
  }

  private lastMinutes(count: number): Minute[] {
    const since = Math.floor(performance.now() / MINUTE_MS) - count;
    return this.minutes.filter(({ minute }) => minute > since);
  }
}
