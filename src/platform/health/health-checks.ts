import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Settings } from '../config/settings.js';
import { RedisConnection } from '../counters/redis-connection.js';
import { AccountDatabase } from '../database/account-database.js';
import { ServiceUnavailable } from '../http/errors/http.errors.js';
import { GracefulShutdown } from '../http/server/graceful-shutdown.js';
import { MailTemplates } from '../mail/mail-templates.js';

const MAX_WAIT_MS = 50;
const STALE_MS = 2000;

export class ReadyView {
  @ApiProperty({ enum: ['ready'] }) status: 'ready';
  @ApiProperty({ enum: ['up'] }) database: 'up';
  @ApiProperty({
    enum: ['up', 'down', 'off'],
    description: 'down: counters are kept in memory; off: none is set',
  })
  redis: 'up' | 'down' | 'off';
  @ApiProperty({
    enum: ['present', 'missing'],
    description: 'missing: the file cannot be read, and /api/misc/agree answers 503',
  })
  agreement: 'present' | 'missing';
  @ApiProperty({
    enum: ['ok', 'refused'],
    description: 'refused: the file has a mistake, and the last good settings stay in force',
  })
  settings: 'ok' | 'refused';
  @ApiProperty({
    enum: ['ok', 'fallback'],
    description: 'fallback: a mail template is missing or broken, and the shipped one is sent',
  })
  mail_templates: 'ok' | 'fallback';
  @ApiProperty({ required: false, example: '1.0.0', description: 'only for `metrics_ips`' })
  version?: string;
  @ApiProperty({ required: false, example: 'abc1234', description: 'where the build knew it' })
  commit?: string;
}

/** Contains the checks of `GET /api/health/ready`. Each feature adds its own checks with `add`. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<string, HealthCheck>();

  constructor(
    database: AccountDatabase,
    mailTemplates: MailTemplates,
    private readonly redis: RedisConnection,
    private readonly settings: Settings,
    private readonly shutdown: GracefulShutdown,
  ) {
    this.add('database', () => database.isUp());
    this.add('mail_templates', () => mailTemplates.areValid());
  }

  add(name: 'database' | 'mail_templates' | 'agreement', check: () => Promise<boolean>): void {
    this.checks.set(name, new HealthCheck(check));
  }

  async run(): Promise<ReadyView> {
    const results = await Promise.all(
      Array.from(this.checks, async ([name, check]) => [name, await check.isHealthy()]),
    );
    const passes = Object.fromEntries(results) as Record<string, boolean>;
    if (this.shutdown.isStopping || !passes.database) throw new ServiceUnavailable();
    return {
      status: 'ready',
      database: 'up',
      redis: this.redis.state,
      agreement: passes.agreement ? 'present' : 'missing',
      settings: this.settings.problems.length > 0 ? 'refused' : 'ok',
      mail_templates: passes.mail_templates ? 'ok' : 'fallback',
    };
  }
}

/**
 * Runs one check. On a busy process, a check takes many event loop turns, which must not look like a failure. So after
 * 50 ms the last good result counts if it is at most 2 s old.
 */
export class HealthCheck {
  private healthyAt = -Infinity;

  constructor(private readonly check: () => Promise<boolean>) {}

  isHealthy(): Promise<boolean> {
    const pending = this.recheck();
    if (performance.now() - this.healthyAt > STALE_MS) return pending;
    return Promise.race([pending, pause(MAX_WAIT_MS, true, { ref: false })]);
  }

  private async recheck(): Promise<boolean> {
    const isGood = await this.check();
    this.healthyAt = isGood ? performance.now() : -Infinity;
    return isGood;
  }
}
