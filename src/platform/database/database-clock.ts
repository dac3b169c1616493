import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../metrics/metrics.js';
import { isMysql } from './sql.js';

const MAX_SKEW_MS = 60_000;
// Both clocks have a precision of one millisecond.
const PRECISION_MS = 1;

/** The account database's clock is ahead of this machine's by this much. With SQLite, the difference stays 0. */
let aheadMs = 0;

/**
 * Returns the time of the account database's clock. One instance checks what another instance has issued, so codes,
 * tokens, tickets and sessions must not depend on the clock of a single machine.
 */
export function currentTime(): number {
  return Date.now() + aheadMs;
}

export function currentDate(): Date {
  return new Date(currentTime());
}

/**
 * Reads the database's clock, which also decides which rows are deleted. With its own clock, an instance that is ahead
 * would delete rows that other instances still use.
 */
@Injectable()
export class DatabaseClock {
  private lastSkewMs = 0;

  constructor(
    private readonly dataSource: DataSource,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'gatehouse_clock_skew_seconds',
      "Seconds by which the database's clock is ahead of the instance's. If they differ by more than 60, no expired rows are deleted",
      () => this.lastSkewMs / 1000,
    );
  }

  /** Throws if the two clocks differ so much that it is unclear which of them is right. */
  async now(): Promise<number> {
    const skew = await this.skewMs();
    if (Math.abs(skew) > MAX_SKEW_MS)
      throw new Error(
        `the clocks of the database and this machine differ by ${Math.round(Math.abs(skew) / 1000)} s: set up NTP on both`,
      );
    return Date.now() + skew;
  }

  /** Measures how far the database's clock is ahead. */
  skewMs(): Promise<number> {
    return this.measure((clock) => this.dataSource.query(`SELECT ${clock} AS now`));
  }

  /** Measures the difference with a statement that selects the given expression as `now`. */
  async measure(select: (clock: string) => Promise<unknown>): Promise<number> {
    const began = performance.now();
    const clock = isMysql(this.dataSource) ? 'UNIX_TIMESTAMP(NOW(3))' : `strftime('%s', 'now')`;
    const [row] = (await select(clock)) as Array<{ now: string }>;
    if (!row) return this.lastSkewMs;
    // The database is assumed to have read its clock halfway between request and response.
    const halfway = (performance.now() - began) / 2;
    this.lastSkewMs = Number(row.now) * 1000 - (Date.now() - halfway);
    if (isMysql(this.dataSource)) this.follow(this.lastSkewMs, halfway + PRECISION_MS);
    return this.lastSkewMs;
  }

  /** Adjusts the time only if the measurement contradicts it, because slow responses make measurements imprecise. */
  private follow(skewMs: number, uncertaintyMs: number): void {
    const [least, most] = [skewMs - uncertaintyMs, skewMs + uncertaintyMs].map(Math.round);
    aheadMs = Math.max(least!, Math.min(most!, aheadMs));
  }
}
