import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../../platform/metrics/metrics.js';

/** `database`: it cannot be read. `not_reached`: nothing was sent to its game server. `unknown`: it gave no clear answer. */
const FAILURES = ['database', 'not_reached', 'unknown'] as const;

/** Which server fails, and how. */
@Injectable()
export class ServerFailureMetrics {
  private readonly total: Counter<'server' | 'failure'>;

  constructor({ registry }: Metrics) {
    this.total = new Counter({
      name: 'gatehouse_game_server_failures_total',
      help: 'Failed calls to the game database or GM interface of a server: database (not readable), not_reached (nothing was sent to the game server) or unknown (no clear answer)',
      labelNames: ['server', 'failure'],
      registers: [registry],
    });
  }

  /** Initialised to 0, so that the first failure shows as an increase. */
  initialize(servers: number[]): void {
    for (const server of servers)
      for (const failure of FAILURES) this.total.inc({ server, failure }, 0);
  }

  count(server: number, failure: (typeof FAILURES)[number]): void {
    this.total.inc({ server, failure });
  }
}
