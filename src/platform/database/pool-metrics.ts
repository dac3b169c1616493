import { Gauge } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { Metrics } from '../metrics/metrics.js';
import { accountDatabaseQueue } from './batcher.js';

interface PoolInternals {
  _allConnections: { length: number };
  _freeConnections: { length: number };
  _connectionQueue: { length: number };
}

export function registerPoolMetrics(dataSource: DataSource, metrics: Metrics): void {
  const pool = () => (dataSource.driver as { pool?: PoolInternals }).pool;
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Connections to the account database (used, free) and requests waiting for one (waiting)',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const {
        _allConnections: all,
        _freeConnections: free,
        _connectionQueue: queue,
      } = pool() ?? {};
      this.set({ state: 'used' }, (all?.length ?? 0) - (free?.length ?? 0));
      this.set({ state: 'free' }, free?.length ?? 0);
      this.set({ state: 'waiting' }, (queue?.length ?? 0) + accountDatabaseQueue.waiting);
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
