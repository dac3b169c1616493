import { expect, it } from 'vitest';
import { Metrics } from '../metrics/metrics.js';
import { EventLoopLag } from './event-loop-lag.js';

it('EventLoopLag reports an instance as slow after a bad minute, until it has had a good one', async () => {
  const metrics = new Metrics();
  const lag = new EventLoopLag(metrics);
  const states: number[] = [];
  const minute = async (...windows: number[]) => {
    for (const window of windows) lag.add(window);
    const gauge = metrics.registry.getSingleMetric('gatehouse_event_loop_slow')!;
    states.push((await gauge.get()).values[0]!.value);
  };
  await minute(900, 900, 900);
  await minute(20, 20, 20, 900, 900, 20);
  await minute(900, 900, 900, 20, 900, 20);
  await minute(400, 400, 400, 400, 400, 400);
  await minute(20, 20, 20, 400, 20, 20);
  await minute(400, 400, 400, 400, 400, 400);
  lag.onModuleDestroy();
  expect(states).toEqual([0, 0, 1, 1, 0, 0]);
});
