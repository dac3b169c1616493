import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
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
    this.registerMetrics(metrics);
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

  private async takenToday(): Promise<number> {
    const day = localDay(this.settings.current.timezone, new Date());
    const row = await this.dataSource.getRepository(RegistrationDay).findOneBy({ day });
    return row?.taken ?? 0;
  }

  private registerMetrics({ registry }: Metrics): void {
    const takenToday = () => this.takenToday().catch(() => undefined);
    const cap = () => this.settings.current.day_max_reg ?? -1;
    new Gauge({
      name: 'gatehouse_registrations_today',
      help: 'Accounts registered today, on all instances',
      registers: [registry],
      async collect() {
        const waited = pause(METRICS_TIMEOUT_MS, undefined, { ref: false });
        const taken = await Promise.race([takenToday(), waited]);
        if (taken !== undefined) this.set(taken);
      },
    });
    new Gauge({
      name: 'gatehouse_registrations_cap',
      help: 'The setting day_max_reg; -1: no limit',
      registers: [registry],
      collect() {
        this.set(cap());
      },
    });
  }
}
