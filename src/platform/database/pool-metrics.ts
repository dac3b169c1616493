import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics/metrics.js';
import { accountDatabaseQueue } from './batcher.js';
import type { MysqlDriver } from './mysql-driver.js';

export function registerPoolMetrics(driver: MysqlDriver | undefined, metrics: Metrics): void {
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections to the account database (used, free) and requests waiting for one (waiting)',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const { used, free, waiting } = driver?.pool?.counts ?? { used: 0, free: 0, waiting: 0 };
      this.set({ state: 'used' }, used);
      this.set({ state: 'free' }, free);
      this.set({ state: 'waiting' }, waiting + accountDatabaseQueue.waiting);
    },
  });
}

/** What the last look found; 0 before the first connection. Setting it keeps a scrape from waiting for a hung server. */
export function databaseUpGauge({ registry }: Metrics): Gauge {
  return new Gauge({
    name: 'gatehouse_database_up',
    help: '1: the account database can be read and written',
    registers: [registry],
  });
}
