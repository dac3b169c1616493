import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { localDay } from '../../../platform/config/calendar-day.js';
import { Settings } from '../../../platform/config/settings.js';
import { RegistrationDay } from '../../../features/accounts/registration-day.entity.js';

/** Registrations of the day against `day_max_reg`. */
@Injectable()
export class RegistrationsToday {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  async count(): Promise<{ today: number; cap: number | null }> {
    const { day_max_reg: cap, timezone } = this.settings.current;
    const day = localDay(timezone, new Date());
    const row = await this.dataSource.manager.findOneBy(RegistrationDay, { day });
    return { today: row?.taken ?? 0, cap };
  }
}
