import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, Entity, type EntityManager } from 'typeorm';
import { IntColumn, TextColumn } from '../../platform/database/columns.js';
import { Settings } from '../../platform/config/settings.js';
import { localDay, secondsUntilNextDay } from '../../platform/config/time.js';
import {
  consumeLimits,
  Counters,
  type Limit,
  type SharedCounter,
} from '../../platform/counters/counters.js';
import { FifoLock } from '../../platform/database/row-queue.js';
import { TooManyRequests } from '../../platform/http/errors/http.errors.js';
import { addressGroup } from '../../platform/http/request/address.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { RegistrationCapReached } from './accounts.errors.js';

/** Counts a day's registrations in one row, which can be incremented atomically. */
@Entity('registration_day')
export class RegistrationDay {
  @TextColumn(10, { primary: true }) day: string;
  @IntColumn() taken: number;
}

const DAY = 24 * 60 * 60;
const REGISTRATIONS_AT_ONCE = 4;
// A scrape of the metrics must not wait for a hanging database.
const METRICS_TIMEOUT_MS = 250;

/** Enforces `day_max_reg`, the maximum number of registrations per day on all instances together. */
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
      'The setting day_max_reg, or -1 if there is no limit',
      () => this.settings.current.day_max_reg ?? -1,
    );
  }

  /** Counts one registration in the caller's transaction. Throws if today's limit is reached. */
  async takePlace(manager: EntityManager): Promise<void> {
    const { day_max_reg: cap, timezone } = this.settings.current;
    const now = new Date();
    const day = localDay(timezone, now);
    // The increment locks the row until commit, so the number read afterwards is current.
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

/** Enforces `registration.per_address_day`, so that a single client cannot use up a day's registrations. */
@Injectable()
export class RegistrationLimit {
  private readonly registered: SharedCounter;
  private readonly turns = new FifoLock(REGISTRATIONS_AT_ONCE);

  constructor(
    private readonly settings: Settings,
    counters: Counters,
  ) {
    this.registered = counters.create('registration_address');
  }

  /** Counts a registration for the address. A failed registration does not count. */
  async run<T>(address: string, register: () => Promise<T>): Promise<T> {
    const undo = await this.reserve(address);
    try {
      return await register();
    } catch (error) {
      await undo();
      throw error;
    }
  }

  /**
   * Runs a few registrations at a time, because all of them increment the same row. If they ran one at a time, a
   * registration that waits for another locked row would delay all others.
   */
  async inTurn<T>(transaction: () => Promise<T>): Promise<T> {
    const release = await this.turns.acquire();
    try {
      return await transaction();
    } finally {
      release();
    }
  }

  private reserve(address: string): Promise<() => Promise<void>> {
    const most = this.settings.current.registration.per_address_day;
    const limits = most === null ? [] : limitsOf(address, most);
    return consumeLimits(
      limits.map((limit) => ({ ...limit, counter: this.registered, window: DAY })),
      (seconds) => new TooManyRequests(seconds),
    );
  }
}

/** Many providers give each customer an IPv6 /56, so clients are counted by /56. */
function limitsOf(address: string, most: number): Array<Pick<Limit, 'key' | 'max'>> {
  const [own, wide] = [addressGroup(address, 56), addressGroup(address, 48)];
  const limits = [{ key: own, max: most }];
  // For an IPv4 address, both groups are the address itself.
  if (wide !== own) limits.push({ key: wide, max: 4 * most });
  return limits;
}
