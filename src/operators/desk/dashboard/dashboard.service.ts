import { Injectable } from '@nestjs/common';
import { RegistrationsToday } from '../../actions/players/registrations-today.js';
import { versionsDiffer } from '../../actions/instances/instance-status.js';
import type { Dashboard } from '../responses/dashboard.js';
import { DashboardHealth } from './dashboard-health.js';
import { DashboardActionItems } from './dashboard-action-items.js';
import { DashboardSeries } from './dashboard-series.js';
import { DashboardServers } from './dashboard-servers.js';

const CACHE_MS = 2000;

/** How everything stands now. However many look, it is asked once. */
@Injectable()
export class DashboardService {
  private latest?: { at: number; now: Promise<Dashboard> };

  constructor(
    private readonly health: DashboardHealth,
    private readonly servers: DashboardServers,
    private readonly registrations: RegistrationsToday,
    private readonly series: DashboardSeries,
    private readonly actionItems: DashboardActionItems,
  ) {}

  current(): Promise<Dashboard> {
    if (this.latest && performance.now() - this.latest.at < CACHE_MS) return this.latest.now;
    const latest = { at: performance.now(), now: this.load() };
    this.latest = latest;
    // The next one asks again.
    latest.now.catch(() => (this.latest = undefined));
    return latest.now;
  }

  private async load(): Promise<Dashboard> {
    const [health, servers, registrations, series] = await Promise.all([
      this.health.load(),
      this.servers.load(),
      this.registrations.count(),
      this.series.lastHour(),
    ]);
    const needs = await this.actionItems.find({
      registrations,
      failingServers: servers.failing.length,
      impairedInstances: health.instances.filter(({ state }) => state !== 'up').length,
      versionsDiffer: versionsDiffer(health.instances),
      isRedisDown: health.redis.state === 'down',
      mail: health.mail,
    });
    return { at: new Date().toISOString(), ...health, servers, registrations, series, needs };
  }
}
