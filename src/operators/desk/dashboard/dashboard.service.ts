import { Injectable } from '@nestjs/common';
import { PlayerBans } from '../../actions/players/player-bans.js';
import { RegistrationsToday } from '../../actions/players/registrations-today.js';
import { versionsDiffer } from '../../actions/instances/instance-status.js';
import type { Dashboard } from '../responses/dashboard.js';
import { DashboardHealth } from './dashboard-health.js';
import { DashboardActionItems } from './dashboard-action-items.js';
import { DashboardSeries } from './dashboard-series.js';
import { DashboardServers, MIN_FAILED } from './dashboard-servers.js';

const CACHE_MS = 2000;

/** The current state of everything, queried once for all viewers. */
@Injectable()
export class DashboardService {
  private latest?: { at: number; now: Promise<Dashboard> };

  constructor(
    private readonly health: DashboardHealth,
    private readonly servers: DashboardServers,
    private readonly registrations: RegistrationsToday,
    private readonly bans: PlayerBans,
    private readonly series: DashboardSeries,
    private readonly actionItems: DashboardActionItems,
  ) {}

  current(): Promise<Dashboard> {
    if (this.latest && performance.now() - this.latest.at < CACHE_MS) return this.latest.now;
    const latest = { at: performance.now(), now: this.load() };
    this.latest = latest;
    // The next call queries again.
    latest.now.catch(() => (this.latest = undefined));
    return latest.now;
  }

  private async load(): Promise<Dashboard> {
    const [health, servers, registrations, bans, series] = await Promise.all([
      this.health.load(),
      this.servers.load(),
      this.registrations.count(),
      this.bans.countInForce(),
      this.series.lastHour(),
    ]);
    const isRedisDown = health.redis.state === 'down';
    const needs = await this.actionItems.find({
      registrations,
      // One that only has withdrawals of unknown outcome is counted by these.
      failingServers: servers.failing.filter(
        ({ why, failed_last_hour: failed }) => why === 'row' || failed >= MIN_FAILED,
      ).length,
      // So is an instance that only lacks Redis.
      impairedInstances: health.instances.filter(
        ({ state, problem_codes: codes }) =>
          state !== 'up' && !(isRedisDown && codes.every((code) => code === 'redis_down')),
      ).length,
      versionsDiffer: versionsDiffer(health.instances),
      isRedisDown,
      mail: health.mail,
    });
    return { at: new Date().toISOString(), ...health, servers, registrations, bans, series, needs };
  }
}
