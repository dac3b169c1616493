import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { localDay } from '../../../platform/config/time.js';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { AccountDatabase } from '../../../platform/database/account-database.js';
import { RegistrationDay } from '../../../features/accounts/registration-limits.js';
import { GameServer, toServedServer } from '../../../features/servers/game-server.entity.js';
import { validateServer } from '../../../features/servers/server-validation.js';
import { versionsDiffer } from '../../actions/instances/instance-status.js';
import { PlayerBans } from '../../actions/players/player-bans.js';
import {
  type ServerWithdrawalCounts,
  ServerWithdrawalStats,
} from '../../actions/servers/server-withdrawal-stats.js';
import { DashboardActionItems } from './dashboard-action-items.js';
import { DashboardInstances } from './dashboard-instances.js';
import { DashboardMail } from './dashboard-mail.js';
import { DashboardSeries } from './dashboard-series.js';

const CACHE_MS = 4000;
const MIN_BAD_WITHDRAWALS = 3;

/** Collects the state of all components, once for all viewers. */
@Injectable()
export class DashboardService {
  private latest?: { at: number; now: ReturnType<DashboardService['load']> };

  constructor(
    private readonly database: AccountDatabase,
    private readonly redis: RedisConnection,
    private readonly instances: DashboardInstances,
    private readonly mail: DashboardMail,
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly withdrawals: ServerWithdrawalStats,
    private readonly bans: PlayerBans,
    private readonly series: DashboardSeries,
    private readonly actionItems: DashboardActionItems,
  ) {}

  current() {
    if (this.latest && performance.now() - this.latest.at < CACHE_MS) return this.latest.now;
    const latest = { at: performance.now(), now: this.load() };
    this.latest = latest;
    latest.now.catch(() => (this.latest = undefined));
    return latest.now;
  }

  private async load() {
    const [instances, database, servers, registrations, bans, series] = await Promise.all([
      this.instances.load(),
      this.askDatabase(),
      this.loadServers(),
      this.countRegistrations(),
      this.bans.countInForce(),
      this.series.lastHour(),
    ]);
    const mail = this.mail.load(instances);
    const redis = { state: this.redis.state };
    const isRedisDown = redis.state === 'down';
    const needs = await this.actionItems.find({
      registrations,
      failingServers: servers.failing.length,
      // Instances whose only problem is Redis are omitted, because Redis has its own item.
      impairedInstances: instances.filter(
        ({ state, problem_codes: codes }) =>
          state !== 'up' &&
          state !== 'unknown' &&
          !(isRedisDown && codes.every((code) => code === 'redis_down')),
      ).length,
      versionsDiffer: versionsDiffer(instances),
      isRedisDown,
      mail,
    });
    const health = { instances, database, redis, mail };
    return { at: new Date().toISOString(), ...health, servers, registrations, bans, series, needs };
  }

  private async askDatabase() {
    const started = performance.now();
    const isUp = await this.database.isUp();
    const state: 'up' | 'down' = isUp ? 'up' : 'down';
    return { state, ms: Math.round(performance.now() - started) };
  }

  private async loadServers() {
    const [servers, withdrawals] = await Promise.all([
      this.dataSource.manager.find(GameServer),
      this.withdrawals.countByServer(),
    ]);
    const used = servers.filter(({ status }) => status !== 'closed');
    const statuses = used.map((server) => toServedServer(server).status);
    return {
      open: statuses.filter((status) => status !== 'maintenance' && status !== 'closed').length,
      maintenance: statuses.filter((status) => status === 'maintenance').length,
      failing: used.flatMap((server) => toFailingServer(server, withdrawals.get(server.id))),
    };
  }

  private async countRegistrations() {
    const { day_max_reg: cap, timezone } = this.settings.current;
    const day = localDay(timezone, new Date());
    const row = await this.dataSource.manager.findOneBy(RegistrationDay, { day });
    return { today: row?.taken ?? 0, cap };
  }
}

/** Reports a server if its row is invalid, or if several of its withdrawals failed or have an unknown outcome. */
function toFailingServer(server: GameServer, counts: ServerWithdrawalCounts | undefined) {
  const problem = validateServer(server) ?? null;
  const { unknown = 0, failedLastHour: failed_last_hour = 0 } = counts ?? {};
  if (problem === null && unknown + failed_last_hour < MIN_BAD_WITHDRAWALS) return [];
  const why: 'withdrawals' | 'row' = problem === null ? 'withdrawals' : 'row';
  return [{ id: server.id, name: server.name, why, problem, unknown, failed_last_hour }];
}
