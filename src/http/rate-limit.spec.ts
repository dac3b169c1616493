import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '../config/settings.js';
import type { Counters } from '../counters/counters.js';
import { log } from '../log/log.js';
import { RateLimitGuard } from './rate-limit.js';

beforeAll(() => void (log.level = 'silent'));
afterAll(() => void (log.level = 'info'));

describe('the rate limit', () => {
  it('lets in who cannot be counted', async () => {
    const consume = () => Promise.reject(new Error('no answer from master in time'));
    const counters = { create: () => ({ consume }) } as unknown as Counters;
    const settings = { current: { game_server_ips: [], rate_limit: { per_minute: 1 } } };
    const guard = new RateLimitGuard(new Reflector(), settings as unknown as Settings, counters);
    const visit = { requestId: 'visit', address: '198.51.100.1' };
    const context = {
      getHandler: () => () => undefined,
      getClass: () => RateLimitGuard,
      switchToHttp: () => ({ getRequest: () => ({ visit }) }),
    };
    expect(await guard.canActivate(context as unknown as ExecutionContext)).toBe(true);
  });
});
