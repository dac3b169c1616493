import { Injectable } from '@nestjs/common';
import { HealthCheck } from './health-check.js';

type CheckName = 'database' | 'mail_templates' | 'agreement';

/** The checks behind `GET /api/health/ready`. Each part of the service adds its own. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<CheckName, HealthCheck>();

  add(name: CheckName, check: () => Promise<boolean>): void {
    this.checks.set(name, new HealthCheck(check));
  }

  async passes(name: CheckName): Promise<boolean> {
    const check = this.checks.get(name);
    if (!check) throw new Error(`no part of the service has added the check "${name}"`);
    return check.isHealthy();
  }
}
