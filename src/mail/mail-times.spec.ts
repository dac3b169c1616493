import { afterEach, expect, it, vi } from 'vitest';
import { Metrics } from '../metrics/metrics.js';
import { MailTimes } from './mail-times.js';

afterEach(() => vi.useRealTimers());

it('tells the slowest mail of the last ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const metrics = new Metrics();
  const times = new MailTimes(metrics);
  const slowest = async () => {
    const metric = metrics.registry.getSingleMetric('gatehouse_mail_slowest_seconds')!;
    return (await metric.get()).values[0]!.value;
  };
  const mail = (ms: number) => {
    const started = performance.now();
    vi.advanceTimersByTime(ms);
    times.add(started);
  };
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
