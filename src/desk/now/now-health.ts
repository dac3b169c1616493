import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../../counters/redis-connection.js';
import { AccountDatabase } from '../../database/account-database.js';
import type { Now } from '../answers/now.js';
import { NowInstances } from './now-instances.js';
import { NowMail } from './now-mail.js';

/** What the service stands on, as seen from this host, and its instances. */
@Injectable()
export class NowHealth {
  constructor(
    private readonly database: AccountDatabase,
    private readonly redis: RedisConnection,
    private readonly instances: NowInstances,
    private readonly mail: NowMail,
  ) {}

  async look() {
    const [instances, database] = await Promise.all([this.instances.look(), this.askDatabase()]);
    return {
      instances,
      database,
      redis: { state: this.redis.state },
      mail: this.mail.look(instances),
    };
  }

  private async askDatabase(): Promise<Now['database']> {
    const started = performance.now();
    const isUp = await this.database.isUp();
    return { state: isUp ? 'up' : 'down', ms: Math.round(performance.now() - started) };
  }
}
