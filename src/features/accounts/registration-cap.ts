import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { RegistrationCapReached } from './accounts.errors.js';
import { localDay, secondsUntilNextDay } from '../../platform/config/calendar-day.js';
import { RegistrationDay } from './registration-day.entity.js';

// A scrape does not wait for a hung database: it shows the last known number.
const METRICS_TIMEOUT_MS = 250;

/** Enforces `day_max_reg`. */
@Injectable()
export class RegistrationCap {
  constructor(
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'gatehouse_registrations_today',
      'Accounts registered today, on all instances',
      () => this.takenToday(),
    );
    metrics.gauge(
      'gatehouse_registrations_cap',
      'The setting day_max_reg; -1: no limit',
      () => this.settings.current.day_max_reg ?? -1,
    );
  }

  /** Takes one of today's places in the caller's transaction; a rollback frees it again. */
  async takePlace(manager: EntityManager): Promise<void> {
    const { day_max_reg: cap, timezone } = this.settings.current;
    const now = new Date();
    const day = localDay(timezone, now);
    // Increment before reading: the row stays locked until commit, so nobody decides on an old number.
    const onExisting =
      this.dataSource.options.type === 'better-sqlite3'
        ? 'ON CONFLICT (day) DO UPDATE SET'
        : 'ON DUPLICATE KEY UPDATE';
    await manager.query(
      `INSERT INTO registration_day (day, taken) VALUES (?, 1) ${onExisting} taken = taken + 1`,
      [day],
    );
    const { taken } = await manager.findOneByOrFail(RegistrationDay, { day });
    if (cap !== null && taken > cap)
      throw new RegistrationCapReached(secondsUntilNextDay(timezone, now));
  }

  private takenToday(): Promise<number | undefined> {
    const day = localDay(this.settings.current.timezone, new Date());
    const found = this.dataSource.manager.findOneBy(RegistrationDay, { day });
    const taken = found.then((row) => row?.taken ?? 0).catch(() => undefined);
    return Promise.race([taken, pause(METRICS_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
