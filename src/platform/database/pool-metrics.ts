import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics/metrics.js';
import type { AccountDatabaseHosts } from './account-database-hosts.js';
import { accountDatabaseQueue } from './batcher.js';

export function registerPoolMetrics(hosts: AccountDatabaseHosts, metrics: Metrics): void {
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections to the account database (used, free) and requests waiting for one (waiting)',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const { used, free, waiting } = hosts.driver?.pool?.counts ?? {
        used: 0,
        free: 0,
        waiting: 0,
      };
      this.set({ state: 'used' }, used);
      this.set({ state: 'free' }, free);
      this.set({ state: 'waiting' }, waiting + accountDatabaseQueue.waiting);
    },
  });
  new Gauge({
    name: 'gatehouse_database_primaries',
    help: 'Hosts of DATABASE_URL that accept writes, if it names several; a cluster counts as one. With more than one, nothing is written',
    registers: [metrics.registry],
    collect() {
      this.set(hosts.writableCount);
    },
  });
}

/** The result of the last check; 0 before the first connection. So a scrape does not wait for a hanging server. */
export function databaseUpGauge({ registry }: Metrics): Gauge {
  return new Gauge({
    name: 'gatehouse_database_up',
    help: '1: the account database can be read and written',
    registers: [registry],
  });
}
