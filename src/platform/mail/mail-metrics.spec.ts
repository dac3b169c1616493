import { afterEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../metrics/metrics.js';
import { MailMetrics } from './mail-metrics.js';

afterEach(() => vi.useRealTimers());

function begin() {
  vi.useFakeTimers({ toFake: ['performance'] });
  const metrics = new Metrics();
  const times = new MailMetrics(metrics);
  const mail = (ms: number, outcome: 'taken' | 'failed' = 'taken', reply?: number) => {
    const started = performance.now();
    vi.advanceTimersByTime(ms);
    times.record(started, outcome, reply);
  };
  const valuesOf = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)!.get()).values;
  return { mail, valuesOf };
}

describe('MailMetrics', () => {
  it('reports the slowest e-mail of the last ten minutes', async () => {
    const { mail, valuesOf } = begin();
    const slowest = async () => (await valuesOf('gatehouse_mail_slowest_seconds'))[0]!.value;
    expect(await slowest()).toBe(0);
    for (const ms of [100, 4000, 200]) mail(ms);
    expect(await slowest()).toBe(4);
    vi.advanceTimersByTime(300_000);
    mail(300);
    vi.advanceTimersByTime(300_000);
    expect(await slowest()).toBe(0.3);
    vi.advanceTimersByTime(300_000);
    expect(await slowest()).toBe(0);
  });

  it('reports mail as slow from the third slow e-mail until fewer than one e-mail in twenty is slow', async () => {
    const { mail, valuesOf } = begin();
    const states: number[] = [];
    const look = async () => states.push((await valuesOf('gatehouse_mail_slow'))[0]!.value);
    for (const ms of [4000, 4000]) mail(ms);
    await look();
    mail(4000);
    await look();
    for (let n = 0; n < 40; n++) mail(10);
    await look();
    for (let n = 0; n < 40; n++) mail(10);
    await look();
    expect(states).toEqual([0, 1, 1, 0]);
  });

  it('counts the e-mails of the last ten minutes by outcome and mail server reply', async () => {
    const { mail, valuesOf } = begin();
    const recent = async () =>
      (await valuesOf('gatehouse_mails_last_10_minutes')).map(({ labels, value }) => [
        labels.outcome,
        String(labels.reply),
        value,
      ]);
    const nothing = [
      ['taken', '250', 0],
      ['failed', 'none', 0],
    ];
    expect(await recent()).toEqual(nothing);
    mail(10);
    for (let n = 0; n < 2; n++) mail(10, 'failed', 451);
    vi.advanceTimersByTime(5 * 60_000);
    mail(10, 'failed', 451);
    mail(10_000, 'failed');
    expect(await recent()).toEqual([
      ['taken', '250', 1],
      ['failed', 'none', 1],
      ['failed', '451', 3],
    ]);
    vi.advanceTimersByTime(5 * 60_000);
    expect(await recent()).toEqual([
      ['taken', '250', 0],
      ['failed', 'none', 1],
      ['failed', '451', 1],
    ]);
    vi.advanceTimersByTime(10 * 60_000);
    expect(await recent()).toEqual(nothing);
  });
});
