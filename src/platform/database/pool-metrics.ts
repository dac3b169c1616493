import type { Metrics } from '../metrics/metrics.js';
import type { AccountDatabaseHosts } from './account-database-hosts.js';
import { accountDatabaseQueue } from './batcher.js';

const NO_POOL = { used: 0, free: 0, waiting: 0 };

export function registerPoolMetrics(hosts: AccountDatabaseHosts, metrics: Metrics): void {
  metrics.gauges(
    'gatehouse_database_connections',
    'Connections to the account database (used, free) and requests waiting for one (waiting)',
    'state',
    () => {
      const { used, free, waiting } = hosts.driver?.pool?.counts ?? NO_POOL;
      return { used, free, waiting: waiting + accountDatabaseQueue.waiting };
    },
  );
  metrics.gauge(
    'gatehouse_database_primaries',
    'Hosts of DATABASE_URL that accept writes, if it names several; a cluster counts as one. With more than one, nothing is written',
    () => hosts.primary?.writableHosts.length ?? 0,
  );
}
