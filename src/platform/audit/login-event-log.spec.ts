import { describe, expect, it, vi } from 'vitest';
import type { DataSource } from 'typeorm';
import { DEFAULT_SETTINGS } from '../config/settings.schema.js';
import type { Settings } from '../config/settings.js';
import { DatabaseWaitTimeout } from '../database/database-errors.js';
import type { ExpiredRowCleaner } from '../database/expired-row-cleaner.js';
import { Metrics } from '../metrics/metrics.js';
import { EventQueues } from './event-queue.js';
import { FailedLoginAggregator, LoginEventLog, type NewLoginEvent } from './login-event-log.js';
import { loginDeviceLabel, truncateName } from './record-sign-in.interceptor.js';

const note = (changes: Partial<NewLoginEvent>): NewLoginEvent => ({
  time: Date.now(),
  way: 'login',
  outcome: 'bad_credentials',
  tries: 1,
  playerId: 1,
  account: 'victim',
  address: '192.0.2.1',
  device: null,
  sessionId: null,
  requestId: 'r',
  ...changes,
});
const triesOf = (notes: NewLoginEvent[]) => notes.reduce((sum, { tries }) => sum + tries, 0);

describe('LoginEventLog', () => {
  it('buffers a bounded number of events during a database outage, counts dropped events and writes the rest later', async () => {
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
    const queues = new EventQueues(
      database as unknown as DataSource,
      { current: DEFAULT_SETTINGS } as Settings,
      { deleteAfterDays: () => undefined } as unknown as ExpiredRowCleaner,
      metrics,
    );
    const log = new LoginEventLog(queues);
    for (let n = 0; n < 25_000; n++) {
      log.record(note({ outcome: 'ok' }));
      if (n % 5000 === 0) await log.flush();
    }
    away = false;
    await queues.beforeApplicationShutdown();
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

describe('FailedLoginAggregator', () => {
  it('writes two rows a minute for one account and address: the first failure and a count of the rest', () => {
    vi.useFakeTimers();
    const failed = new FailedLoginAggregator();
    const written = Array.from({ length: 1000 }, () => failed.add(note({}))).filter(Boolean);
    expect(written).toEqual([note({})]);
    expect(failed.drain()).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(failed.drain()).toMatchObject([{ playerId: 1, address: '192.0.2.1', tries: 999 }]);
    expect(failed.add(note({}))).toBeDefined();
    expect(failed.drain(true)).toEqual([]);
    vi.useRealTimers();
  });

  it('ends a minute on time when the system clock is set back', () => {
    vi.useFakeTimers();
    const failed = new FailedLoginAggregator();
    for (let n = 0; n < 3; n++) failed.add(note({}));
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(60_000);
    expect(failed.drain()).toMatchObject([{ tries: 2 }]);
    vi.useRealTimers();
  });

  it('counts every failure in a bounded number of rows', () => {
    const failed = new FailedLoginAggregator();
    const written: NewLoginEvent[] = [];
    for (let n = 0; n < 100_000; n++) {
      const address = `2001:db8::${(n % 65_536).toString(16)}`;
      const row = failed.add(note({ playerId: n % 3 ? n : 7, account: `name${n}`, address }));
      if (row) written.push(row);
    }
    const counted = failed.drain(true);
    expect(written.length + counted.length).toBeLessThan(2000);
    expect(triesOf(written) + triesOf(counted)).toBe(100_000);
    // The account under attack is still listed.
    const attacked = [...written, ...counted].filter(({ playerId }) => playerId === 7);
    expect(triesOf(attacked)).toBeGreaterThan(33_000);
  });

  it('writes one row per address for unknown account names', () => {
    const failed = new FailedLoginAggregator();
    const guess = (n: number) => failed.add(note({ playerId: null, account: `invented${n}` }));
    expect(Array.from({ length: 100 }, (_, n) => guess(n)).filter(Boolean)).toHaveLength(1);
    expect(failed.drain(true)).toMatchObject([{ playerId: null, tries: 99 }]);
  });
});
