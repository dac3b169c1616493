import { describe, expect, it } from 'vitest';
import type { DataSource } from 'typeorm';
import { DEFAULT_SETTINGS } from '../config/settings.schema.js';
import type { Settings } from '../config/settings.js';
import { DatabaseWaitTimeout } from '../database/database-errors.js';
import type { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { Metrics } from '../metrics/metrics.js';
import { EventLogContext } from './event-log.js';
import { LoginEventLog } from './login-event-log.js';
import { loginDeviceLabel, truncateName } from './new-login-event.js';

const NOTE = {
  time: Date.now(),
  way: 'login',
  outcome: 'ok',
  tries: 1,
  playerId: 1,
  account: 'someone',
  address: '192.0.2.1',
  device: null,
  sessionId: null,
  requestId: 'r',
} as const;

describe('LoginEventLog', () => {
  it('buffers a bounded number of events while the database is down, counts the dropped ones and writes the rest later', async () => {
    let away = true;
    let written = 0;
    let statements = 0;
    const database = {
      isInitialized: true,
      query(_sql: string, values: unknown[]) {
        if (away) throw new DatabaseWaitTimeout();
        statements++;
        written += values.length / 10;
      },
    };
    const metrics = new Metrics();
    const log = new LoginEventLog(
      new EventLogContext(
        database as unknown as DataSource,
        { current: DEFAULT_SETTINGS } as Settings,
        { deleteAfterDays: () => undefined } as unknown as ExpiredRowCleaner,
        metrics,
      ),
    );
    for (let n = 0; n < 25_000; n++) {
      log.record(NOTE);
      if (n % 5000 === 0) await log.flush();
    }
    away = false;
    await log.beforeApplicationShutdown();
    expect(written).toBe(20_000);
    expect(statements).toBe(100);
    expect(await metrics.registry.metrics()).toMatch(
      /^gatehouse_login_events_dropped_total 5000$/m,
    );
  });

  it('shortens names and devices and removes control characters', () => {
    expect(truncateName('龙'.repeat(100))).toBe('龙'.repeat(64));
    expect(truncateName('😀'.repeat(100))).toBe('😀'.repeat(64));
    expect(truncateName('a\u001b[31m\u202eb\ud800')).toBe('a·[31m·b·');
    expect(truncateName(undefined)).toBeNull();
    expect(loginDeviceLabel({ device: 'Phone', os: '', browse: 'Safari' }, 'agent')).toBe(
      'Phone, Safari',
    );
    expect(loginDeviceLabel({}, 'x'.repeat(200))).toBe('x'.repeat(128));
    expect(loginDeviceLabel(undefined, undefined)).toBeNull();
  });
});
