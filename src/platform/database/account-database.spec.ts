import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import type { DatabaseClock } from './database-clock.js';
import { AccountDatabase, type AccountDatabaseHosts } from './account-database.js';

const refused = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Simulates a server that is down at first. The test decides when the second attempt gets a response. */
async function duringSecondTry() {
  let resolve!: (host: object) => void;
  let reject!: (error: Error) => void;
  const second = new Promise((...ways) => ([resolve, reject] = ways));
  const find = vi
    .fn<() => Promise<unknown>>()
    .mockRejectedValueOnce(refused())
    .mockReturnValue(second);
  const dataSource = {
    initialize: vi.fn(() => Promise.resolve()),
    destroy: vi.fn(() => Promise.resolve()),
  };
  const database = new AccountDatabase(
    Object.assign(new Environment(), { DATABASE_URL: 'mysql://db/gatehouse' }),
    dataSource as unknown as DataSource,
    { primary: { find } } as unknown as AccountDatabaseHosts,
    { skewMs: () => Promise.resolve(0) } as unknown as DatabaseClock,
    new Metrics(),
    false,
  );
  await database.onModuleInit();
  await vi.advanceTimersByTimeAsync(1000);
  expect(find).toHaveBeenCalledTimes(2);
  return { database, dataSource, find, resolve, reject };
}

describe('AccountDatabase', () => {
  it('stops connecting when the service shuts down during an attempt', async () => {
    const { database, find, reject } = await duringSecondTry();
    database.onApplicationShutdown();
    reject(refused());
    await vi.advanceTimersByTimeAsync(5000);
    expect(find).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('opens no pool when the service shuts down during an attempt', async () => {
    const { database, dataSource, resolve } = await duringSecondTry();
    database.onApplicationShutdown();
    resolve({ host: 'db', port: 3306 });
    await vi.advanceTimersByTimeAsync(0);
    expect(dataSource.initialize).not.toHaveBeenCalled();
  });

  it('closes a pool that is still opening at shutdown', async () => {
    const { database, dataSource, resolve } = await duringSecondTry();
    dataSource.initialize.mockImplementation(() => {
      database.onApplicationShutdown();
      return Promise.resolve();
    });
    resolve({ host: 'db', port: 3306 });
    await vi.advanceTimersByTimeAsync(0);
    expect(dataSource.destroy).toHaveBeenCalledOnce();
  });
});
