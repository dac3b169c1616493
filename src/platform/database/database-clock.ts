import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../metrics/metrics.js';
import { isMysql } from './statement.js';

const MAX_SKEW_MS = 60_000;

/**
 * The database's clock decides which rows are deleted: an instance whose clock is ahead would delete rows that others
 * still use.
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
      "How far the database's clock is ahead of the instance's. Beyond 60 either way no expired rows are deleted",
      () => this.lastSkewMs / 1000,
    );
  }

  /** Throws if the two clocks are too far apart to know which of them is right. */
  async now(): Promise<number> {
    const skew = await this.skewMs();
    if (Math.abs(skew) > MAX_SKEW_MS)
      throw new Error(
        `the clocks of the database and this machine differ by ${Math.round(Math.abs(skew) / 1000)} s: set up NTP on both`,
      );
    return Date.now() + skew;
  }

  /** How far the database's clock is ahead. */
  async skewMs(): Promise<number> {
    const asked = Date.now();
    const sql = isMysql(this.dataSource) ? 'UNIX_TIMESTAMP(NOW(3))' : `strftime('%s', 'now')`;
    const [row] = await this.dataSource.query<[{ now: string }]>(`SELECT ${sql} AS now`);
    // Halfway between query and answer.
    this.lastSkewMs = Number(row.now) * 1000 - (asked + Date.now()) / 2;
    return this.lastSkewMs;
  }
}
