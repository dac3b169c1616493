import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import type { LoginEvent } from '../../../platform/audit/login-event.entity.js';
import { RefusedRequest } from '../../../platform/audit/refused-request.entity.js';
import { requestIdTime } from '../../../platform/http/request/request-id.js';
import { EventSearch } from './event-search.js';

const MAX_ROWS = 50;

export interface RequestTrace {
  id: string;
  beganAt: Date | null;
  logins: LoginEvent[];
  withdrawals: Withdrawal[];
  refusals: RefusedRequest[];
}

/** Everything recorded about one request. */
@Injectable()
export class RequestSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventSearch,
  ) {}

  async find(given: string): Promise<RequestTrace> {
    // Ours are in upper case, and people type them in lower case.
    const id = requestIdTime(given.toUpperCase()) ? given.toUpperCase() : given;
    const rows = { where: { requestId: id }, order: { id: 'DESC' as const }, take: MAX_ROWS };
    const [logins, withdrawals, refusals] = await Promise.all([
      this.events.logins({ request: id, limit: MAX_ROWS }),
      this.dataSource.manager.find(Withdrawal, rows),
      this.dataSource.manager.find(RefusedRequest, rows),
    ]);
    return { id, beganAt: requestIdTime(id) ?? null, logins, withdrawals, refusals };
  }
}
