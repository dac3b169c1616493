import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { AccountDatabase } from '../../../platform/database/account-database.js';
import { PlayerBans } from '../../actions/players/player-bans.js';
import { RegistrationsToday } from '../../actions/players/registrations-today.js';
import { versionsDiffer } from '../../actions/instances/instance-status.js';
import type { Dashboard } from '../responses/dashboard.js';
import { DashboardActionItems } from './dashboard-action-items.js';
import { DashboardInstances } from './dashboard-instances.js';
import { DashboardMail } from './dashboard-mail.js';
import { DashboardSeries } from './dashboard-series.js';
import { DashboardServers, MIN_FAILED } from './dashboard-servers.js';

const CACHE_MS = 4000;

/** The current state of everything, queried once for all viewers. */
@Injectable()
export class DashboardService {
  private latest?: { at: number; now: Promise<Dashboard> };

  constructor(
    private readonly database: AccountDatabase,
    private readonly redis: RedisConnection,
    private readonly instances: DashboardInstances,
    private readonly mail: DashboardMail,
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
    const [instances, database, servers, registrations, bans, series] = await Promise.all([
      this.instances.load(),
      this.askDatabase(),
      this.servers.load(),
      this.registrations.count(),
      this.bans.countInForce(),
      this.series.lastHour(),
    ]);
    const mail = this.mail.load(instances);
    const redis = { state: this.redis.state };
    const isRedisDown = redis.state === 'down';
    const needs = await this.actionItems.find({
      registrations,
      // One that only has withdrawals of unknown outcome is counted by these.
      failingServers: servers.failing.filter(
        ({ why, failed_last_hour: failed }) => why === 'row' || failed >= MIN_FAILED,
      ).length,
      // So is an instance that only lacks Redis.
      impairedInstances: instances.filter(
        ({ state, problem_codes: codes }) =>
          state !== 'up' && !(isRedisDown && codes.every((code) => code === 'redis_down')),
      ).length,
      versionsDiffer: versionsDiffer(instances),
      isRedisDown,
      mail,
    });
    const health = { instances, database, redis, mail };
    return { at: new Date().toISOString(), ...health, servers, registrations, bans, series, needs };
  }

  private async askDatabase(): Promise<Dashboard['database']> {
    const started = performance.now();
    const isUp = await this.database.isUp();
    return { state: isUp ? 'up' : 'down', ms: Math.round(performance.now() - started) };
  }
}
