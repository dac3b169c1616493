import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import { Metrics } from '../metrics/metrics.js';

const RECENT_MS = 10 * 60_000;
const ACCEPTED = 250;
const NO_REPLY = 'none';
const OUTCOMES = ['taken', 'failed'] as const;

export const SLOW_MAIL_SECONDS = 3;
// A single slow e-mail may only mean that the mail server was busy for a moment.
const MIN_SLOW = 3;
export const SLOW_ONE_IN = 10;
const FAST_ONE_IN = 20;

interface RecentMail {
  at: number;
  seconds: number;
  outcome: (typeof OUTCOMES)[number];
  reply: string;
}

@Injectable()
export class MailMetrics {
  private mails: RecentMail[] = [];
  private isSlow = false;
  private readonly seconds: Histogram<'outcome'>;

  constructor(metrics: Metrics) {
    const registers = [metrics.registry];
    const recent = () => this.recent();
    this.seconds = new Histogram({
      name: 'gatehouse_mail_seconds',
      help: 'Seconds until the mail server accepted an e-mail (taken) or sending failed (failed)',
      labelNames: ['outcome'],
      buckets: [0.1, 0.3, 1, SLOW_MAIL_SECONDS, 5, 10],
      registers,
    });
    for (const outcome of OUTCOMES) this.seconds.zero({ outcome });
    metrics.gauge(
      'gatehouse_mail_slowest_seconds',
      'Seconds that the slowest mail of the last ten minutes took, or 0 without mails',
      () => Math.max(0, ...recent().map(({ seconds }) => seconds)),
    );
    metrics.gauge(
      'gatehouse_mail_slow',
      '1 if one in ten mails, and at least three, took three seconds or more',
      () => Number(this.judge()),
    );
    // A counter would not show the first e-mail with a new reply code as an increase.
    new Gauge({
      name: 'gatehouse_mails_last_10_minutes',
      help: "Mails of the last ten minutes by outcome and by the mail server's reply, which is none if the server did not answer",
      labelNames: ['outcome', 'reply'],
      registers,
      collect() {
        this.reset();
        this.set({ outcome: 'taken', reply: ACCEPTED }, 0);
        this.set({ outcome: 'failed', reply: NO_REPLY }, 0);
        for (const { outcome, reply } of recent()) this.inc({ outcome, reply });
      },
    });
  }

  /** `started` is a value of `performance.now()`. */
  record(started: number, outcome: (typeof OUTCOMES)[number], refusal?: number): void {
    const at = performance.now();
    const seconds = (at - started) / 1000;
    this.seconds.observe({ outcome }, seconds);
    const reply = String(outcome === 'taken' ? ACCEPTED : (refusal ?? NO_REPLY));
    this.mails = [...this.recent(), { at, seconds, outcome, reply }];
  }

  /** Ends the state at a lower share than the one at which it begins, so that it does not switch back and forth. */
  private judge(): boolean {
    const mails = this.recent();
    const slow = mails.filter(({ seconds }) => seconds >= SLOW_MAIL_SECONDS).length;
    const isMany = slow * (this.isSlow ? FAST_ONE_IN : SLOW_ONE_IN) >= mails.length;
    this.isSlow = slow >= (this.isSlow ? 1 : MIN_SLOW) && isMany;
    return this.isSlow;
  }

  private recent(): RecentMail[] {
    const since = performance.now() - RECENT_MS;
    return this.mails.filter(({ at }) => at > since);
  }
}
