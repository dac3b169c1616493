import { afterEach, expect, it, vi } from 'vitest';
import { log } from '../../log/log.js';
import { ThrottledRequests } from './request-log.middleware.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('The request log counts throttled requests by /64 in a bounded number of lines a minute, which add up to all requests', () => {
  vi.useFakeTimers();
  const logged = vi.spyOn(log, 'info').mockReturnValue(undefined);
  const refused = new ThrottledRequests();
  let first = 0;
  for (let n = 0; n < 30_000; n++)
    if (refused.isFirst(`2001:db8:0:${(n % 3000).toString(16)}::${n.toString(16)}`)) first++;
  expect(first).toBe(1000);
  vi.advanceTimersByTime(60_000);
  const sums = logged.mock.calls.map(([line]) => line as { requests: number });
  expect(sums).toHaveLength(1001);
  expect(first + sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(30_000);
  expect(refused.isFirst('2001:db8::1')).toBe(true);
  refused.onModuleDestroy();
});
