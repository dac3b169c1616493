import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../metrics/metrics.js';

/** `database`: it cannot be read. `not_reached`: nothing was sent to its game server. `unknown`: it gave no clear answer. */
const FAILURES = ['database', 'not_reached', 'unknown'] as const;

/** Which zone fails, and how. */
@Injectable()
export class ZoneFailures {
  private readonly total: Counter<'zone' | 'failure'>;

  constructor({ registry }: Metrics) {
    this.total = new Counter({
      name: 'gatehouse_zone_failures_total',
      help: 'Failed calls to a zone: database (not readable), not_reached (nothing was sent to the game server) or unknown (no clear answer)',
      labelNames: ['zone', 'failure'],
      registers: [registry],
    });
  }

  /** From now on they are counted from 0, so that the first failure shows as a rise. */
  know(zones: number[]): void {
    for (const zone of zones) for (const failure of FAILURES) this.total.inc({ zone, failure }, 0);
  }

  count(zone: number, failure: (typeof FAILURES)[number]): void {
    this.total.inc({ zone, failure });
  }
}
