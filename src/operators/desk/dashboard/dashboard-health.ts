import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { AccountDatabase } from '../../../platform/database/account-database.js';
import type { Dashboard } from '../responses/dashboard.js';
import { DashboardInstances } from './dashboard-instances.js';
import { DashboardMail } from './dashboard-mail.js';

/** What the service depends on, as seen from this host, and its instances. */
@Injectable()
export class DashboardHealth {
  constructor(
    private readonly database: AccountDatabase,
    private readonly redis: RedisConnection,
    private readonly instances: DashboardInstances,
    private readonly mail: DashboardMail,
  ) {}

  async load() {
    const [instances, database] = await Promise.all([this.instances.load(), this.askDatabase()]);
    return {
      instances,
      database,
      redis: { state: this.redis.state },
      mail: this.mail.load(instances),
    };
  }

  private async askDatabase(): Promise<Dashboard['database']> {
    const started = performance.now();
    const isUp = await this.database.isUp();
    return { state: isUp ? 'up' : 'down', ms: Math.round(performance.now() - started) };
  }
}
