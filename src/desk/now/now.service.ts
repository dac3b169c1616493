import { Injectable } from '@nestjs/common';
import { RegistrationsToday } from '../../accounts/desk/registrations-today.js';
import { versionsDiffer } from '../../operations/instance-status.js';
import type { Now } from '../answers/now.js';
import { NowHealth } from './now-health.js';
import { NowNeeds } from './now-needs.js';
import { NowSeries } from './now-series.js';
import { NowZones } from './now-zones.js';

const FRESH_MS = 2000;

/** How everything stands now. However many look, it is asked once. */
@Injectable()
export class NowService {
  private latest?: { at: number; now: Promise<Now> };

  constructor(
    private readonly health: NowHealth,
    private readonly zones: NowZones,
    private readonly registrations: RegistrationsToday,
    private readonly series: NowSeries,
    private readonly needs: NowNeeds,
  ) {}

  now(): Promise<Now> {
    if (this.latest && performance.now() - this.latest.at < FRESH_MS) return this.latest.now;
    const latest = { at: performance.now(), now: this.look() };
    this.latest = latest;
    // The next one asks again.
    latest.now.catch(() => (this.latest = undefined));
    return latest.now;
  }

  private async look(): Promise<Now> {
    const [health, zones, registrations, series] = await Promise.all([
      this.health.look(),
      this.zones.look(),
      this.registrations.count(),
      this.series.lastHour(),
    ]);
    const needs = await this.needs.find({
      registrations,
      failingZones: zones.failing.length,
      badInstances: health.instances.filter(({ state }) => state !== 'up').length,
      versionsDiffer: versionsDiffer(health.instances),
      isRedisDown: health.redis.state === 'down',
      mail: health.mail,
    });
    return { at: new Date().toISOString(), ...health, zones, registrations, series, needs };
  }
}
