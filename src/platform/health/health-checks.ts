import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AccountDatabase } from '../database/account-database.js';
import { MailTemplates } from '../mail/mail-templates.js';

const MAX_WAIT_MS = 50;
const STALE_MS = 2000;

type CheckName = 'database' | 'mail_templates' | 'agreement';

/** Holds the checks of `GET /api/health/ready`. Each feature adds its own checks with `add`. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<CheckName, HealthCheck>();

  constructor(database: AccountDatabase, mailTemplates: MailTemplates) {
    this.add('database', () => database.isUp());
    this.add('mail_templates', () => mailTemplates.areValid());
  }

  add(name: CheckName, check: () => Promise<boolean>): void {
    this.checks.set(name, new HealthCheck(check));
  }

  /** Returns for each check whether it passed. */
  async run(): Promise<Partial<Record<CheckName, boolean>>> {
    const results = await Promise.all(
      Array.from(this.checks, async ([name, check]) => [name, await check.isHealthy()]),
    );
    return Object.fromEntries(results) as Partial<Record<CheckName, boolean>>;
  }
}

/**
 * In a busy process, a check takes many event loop turns, which must not look like a failure. So after 50 ms the last
 * good result counts if it is at most 2 s old.
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
