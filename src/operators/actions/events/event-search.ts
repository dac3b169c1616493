import { Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsWhere, LessThan, MoreThanOrEqual } from 'typeorm';
import { sqlTime, toIsoTime } from '../../../platform/database/sql-time.js';
import { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import { LoginEvent } from '../../../platform/audit/login-event.entity.js';
import { newestRows } from '../newest-rows.js';
import { withSettledWithdrawals } from '../audit-subjects.js';

const MAX_GROUPS = 20;

export interface GuessingSummary {
  player: number | null;
  account: string | null;
  address: string | null;
  tries: number;
  addresses: number;
  last: string;
}

export interface HourlyRegistrations {
  hour: string;
  registered: number;
  refused: number;
}

export interface SignInCounts {
  logins: number;
  registrations: number;
  refusals: number;
}

interface EventFilter {
  since?: Date;
  until?: Date;
  before?: string;
  limit: number;
}

/** Queries across all players, for operators. Each is bounded by a time or an indexed key. */
@Injectable()
export class EventSearch {
  constructor(private readonly dataSource: DataSource) {}

  async logins(
    filter: EventFilter & { address?: string; outcome?: string; request?: string },
  ): Promise<LoginEvent[]> {
    const { address, outcome, request, ...span } = filter;
    if (!areAscii(address, outcome, request)) return [];
    const where: FindOptionsWhere<LoginEvent> = toConditions(span);
    if (request !== undefined) where.requestId = request;
    if (address !== undefined) where.address = address;
    if (outcome !== undefined) where.outcome = outcome;
    return this.dataSource.manager.find(LoginEvent, {
      where,
      order: { id: 'DESC' },
      take: span.limit,
    });
  }

  async audit(filter: EventFilter & { subjects?: string[]; by?: string; act?: string }) {
    const { by, act } = filter;
    const asked = filter.subjects?.filter((subject) => areAscii(subject));
    if (asked?.length === 0 || !areAscii(act)) return [];
    const subjects = asked && (await withSettledWithdrawals(this.dataSource.manager, asked));
    const query = this.dataSource.createQueryBuilder(AuditEvent, 'e');
    if (subjects) query.andWhere('e.subject IN (:...subjects)', { subjects });
    if (by !== undefined) query.andWhere('e.operator = :by', { by });
    if (act !== undefined) query.andWhere('e.act = :act', { act });
    return newestRows(query, filter);
  }

  /** Whose passwords are being guessed, or from where: most tries first. */
  async guesses(by: 'player_id' | 'address', since: Date): Promise<GuessingSummary[]> {
    const rows = await this.dataSource.query<Array<Record<string, unknown>>>(
      `SELECT ${by} AS whom, MAX(account) AS account, SUM(tries) AS tries,
         COUNT(DISTINCT address) AS addresses, MAX(created_at) AS last
       FROM login_event WHERE created_at >= ? AND outcome IN ('bad_credentials', 'login_throttled')
       GROUP BY ${by} ORDER BY tries DESC LIMIT ${MAX_GROUPS}`,
      [sqlTime(since)],
    );
    return rows.map((row) => ({
      player: by === 'player_id' ? (row.whom as number | null) : null,
      account: by === 'player_id' && row.whom !== null ? (row.account as string | null) : null,
      address: by === 'address' ? (row.whom as string | null) : null,
      tries: Number(row.tries),
      addresses: Number(row.addresses),
      last: toIsoTime(row.last)!,
    }));
  }

  /** Sign-ins of a period, which should be short: it reads them all. */
  async count(from: Date, to: Date): Promise<SignInCounts> {
    const [row = {}] = await this.dataSource.query<Array<Record<string, unknown>>>(
      `SELECT SUM(CASE WHEN outcome <> 'ok' THEN tries ELSE 0 END) AS refusals,
         SUM(CASE WHEN outcome = 'ok' AND way = 'register' THEN tries ELSE 0 END) AS registrations,
         SUM(CASE WHEN outcome = 'ok' AND way <> 'register' THEN tries ELSE 0 END) AS logins
       FROM login_event WHERE created_at >= ? AND created_at < ?`,
      [sqlTime(from), sqlTime(to)],
    );
    return {
      logins: Number(row.logins ?? 0),
      registrations: Number(row.registrations ?? 0),
      refusals: Number(row.refusals ?? 0),
    };
  }

  /** Hour by hour, in UTC, the newest first. */
  async registrations(since: Date): Promise<HourlyRegistrations[]> {
    const embedded = this.dataSource.options.type === 'better-sqlite3';
    const hour = embedded
      ? `strftime('%Y-%m-%d %H', created_at)`
      : `DATE_FORMAT(created_at, '%Y-%m-%d %H')`;
    const rows = await this.dataSource.query<Array<Record<string, unknown>>>(
      `SELECT ${hour} AS hour, SUM(CASE WHEN outcome = 'ok' THEN tries ELSE 0 END) AS registered,
         SUM(CASE WHEN outcome = 'ok' THEN 0 ELSE tries END) AS refused
       FROM login_event WHERE created_at >= ? AND way = 'register' GROUP BY ${hour} ORDER BY hour DESC`,
      [sqlTime(since)],
    );
    return rows.map((row) => ({
      hour: `${String(row.hour)}:00`,
      registered: Number(row.registered),
      refused: Number(row.refused),
    }));
  }
}

/** Typed like their columns: otherwise MySQL converts every row and uses no key. */
function areAscii(...texts: Array<string | undefined>): boolean {
  return texts.every((text) => text === undefined || /^[\x20-\x7e]*$/.test(text));
}

function toConditions({ since, before }: EventFilter) {
  return {
    ...(since && { createdAt: MoreThanOrEqual(since) }),
    ...(before !== undefined && { id: LessThan(before) }),
  };
}
