import { Injectable } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  type FindOptionsWhere,
  IsNull,
  LessThan,
  MoreThanOrEqual,
  Not,
} from 'typeorm';
import {
  AuditEvent,
  LoginEvent,
  type MailOutcome,
  PlayerChange,
  RefusedRequest,
} from '../../../platform/audit/audit.entity.js';
import { sqlTime, toIsoTime } from '../../../platform/database/sql.js';
import { SLOW_MAIL_SECONDS, SLOW_ONE_IN } from '../../../platform/mail/mail-metrics.js';
import { requestIdTime } from '../../../platform/http/request/request-id.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { newestRows } from '../page-rows.js';

const MAX_SETTLED = 200;
const MAX_GROUPS = 20;
const GUESS_OUTCOMES = `('bad_credentials', 'login_throttled')`;
/** A player who only mistypes a password fails fewer times than this. */
const MANY_TRIES = 5;

const MAX_DOMAINS = 50;
const MAIL_ACCEPTED = 250;

/** Takes a domain's last reply from e-mails that reached the mail server, because e-mails that were held back have none. */
const MAILS_BY_DOMAIN = `
  WITH mails AS (
    SELECT id, created_at, outcome, reply, ms, LOWER(SUBSTR(mailbox, INSTR(mailbox, '@') + 1)) AS domain
      FROM mail_event WHERE created_at >= ?
  ), ranked AS (
    SELECT mails.*, COUNT(ms) OVER (PARTITION BY domain) AS timed,
      ROW_NUMBER() OVER (PARTITION BY domain ORDER BY ms IS NULL, ms) AS place,
      ROW_NUMBER() OVER (PARTITION BY domain ORDER BY outcome = 'held_back', id DESC) AS age
    FROM mails
  )
  SELECT domain, COUNT(*) OVER () AS total,
    SUM(CASE WHEN outcome = 'sent' THEN 1 ELSE 0 END) AS sent,
    SUM(CASE WHEN outcome IN ('failed', 'uncertain') THEN 1 ELSE 0 END) AS failed,
    SUM(CASE WHEN outcome = 'held_back' THEN 1 ELSE 0 END) AS held_back,
    MAX(CASE WHEN place * 2 IN (timed, timed + 1) THEN ms END) AS median_ms, MAX(ms) AS slowest_ms,
    MAX(timed) AS measured, SUM(CASE WHEN ms >= ${SLOW_MAIL_SECONDS * 1000} THEN 1 ELSE 0 END) AS slow,
    MAX(CASE WHEN age = 1 THEN outcome END) AS last_outcome,
    MAX(CASE WHEN age = 1 THEN reply END) AS last_reply,
    MAX(CASE WHEN age = 1 THEN created_at END) AS last
  FROM ranked GROUP BY domain ORDER BY COUNT(*) DESC, domain LIMIT ${MAX_DOMAINS}`;

export const playerAuditSubject = (id: number) => `player ${id}`;
export const withdrawalAuditSubject = (id: number) => `withdrawal ${id}`;
export const operatorAuditSubject = (name: string) => `operator ${name}`;

/** Adds, for each player among the subjects, the withdrawals that a person settled or reopened. */
export async function withSettledWithdrawals(
  manager: EntityManager,
  subjects: string[],
): Promise<string[]> {
  const players = subjects.flatMap((subject) => /^player ([1-9]\d{0,9})$/.exec(subject)?.[1] ?? []);
  if (players.length === 0) return subjects;
  // Raw SQL is needed because some commands do not register the withdrawal entities.
  const settled = await manager.query<Array<{ id: number }>>(
    `SELECT DISTINCT w.id FROM withdraw w JOIN withdraw_event e ON e.withdraw_id = w.id
      WHERE w.player_id IN (${players.join(', ')}) AND e.cause = 'person'
      ORDER BY w.id DESC LIMIT ${MAX_SETTLED}`,
  );
  return [...subjects, ...settled.map(({ id }) => withdrawalAuditSubject(id))];
}

interface EventFilter {
  since?: Date;
  until?: Date;
  before?: string;
  limit: number;
}

/** Finds events across all players. A time or an indexed key limits each query. */
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
    // A word without a dot, such as `settings`, finds all actions of that kind.
    if (act !== undefined && /^[a-z]+$/.test(act))
      query.andWhere('e.act LIKE :acts', { acts: `${act}.%` });
    else if (act !== undefined) query.andWhere('e.act = :act', { act });
    return newestRows(query, filter);
  }

  /** Groups failed sign-ins by player or by address, most attempts first. `total` also counts omitted groups. */
  async guesses(by: 'player_id' | 'address', since: Date, limit = MAX_GROUPS) {
    const rows = await this.dataSource.query<Array<Record<string, unknown>>>(
      `SELECT ${by} AS whom, MAX(account) AS account, SUM(tries) AS tries, COUNT(*) OVER () AS total,
         COUNT(DISTINCT address) AS addresses, COUNT(DISTINCT player_id) AS players, MAX(created_at) AS last
       FROM login_event WHERE created_at >= ? AND outcome IN ${GUESS_OUTCOMES}
       GROUP BY ${by} ORDER BY tries DESC LIMIT ${limit}`,
      [sqlTime(since)],
    );
    const groups = rows.map((row) => ({
      player: by === 'player_id' ? (row.whom as number | null) : null,
      account: by === 'player_id' && row.whom !== null ? (row.account as string | null) : null,
      address: by === 'address' ? (row.whom as string | null) : null,
      tries: Number(row.tries),
      addresses: Number(row.addresses),
      players: Number(row.players),
      last: toIsoTime(row.last)!,
    }));
    return { groups, total: Number(rows[0]?.total ?? 0) };
  }

  /** Finds sign-ins from addresses with many earlier failures, because one of these guesses may have been right. */
  async signInsAfterGuesses(since: Date, limit: number) {
    const rows = await this.dataSource.query<Array<Record<string, unknown>>>(
      `SELECT ok.address, ok.player_id, MAX(ok.account) AS account, MAX(ok.created_at) AS last,
         MAX(guess.tries) AS tries, COUNT(*) OVER () AS total
       FROM login_event ok JOIN (
         SELECT address, SUM(tries) AS tries, MIN(created_at) AS began FROM login_event
           WHERE created_at >= ? AND address IS NOT NULL AND outcome IN ${GUESS_OUTCOMES}
           GROUP BY address HAVING SUM(tries) >= ${MANY_TRIES}
       ) guess ON guess.address = ok.address
       WHERE ok.created_at >= ? AND ok.created_at >= guess.began AND ok.way = 'login'
         AND ok.outcome IN ('ok', 'second_factor_required')
       GROUP BY ok.address, ok.player_id ORDER BY tries DESC, last DESC LIMIT ${limit}`,
      [sqlTime(since), sqlTime(since)],
    );
    const signIns = rows.map((row) => ({
      address: row.address as string,
      player: row.player_id as number,
      account: row.account as string | null,
      tries: Number(row.tries),
      last: toIsoTime(row.last)!,
    }));
    return { signIns, total: Number(rows[0]?.total ?? 0) };
  }

  /** Counts the sign-ins in a period. The period should be short, because the query reads every sign-in. */
  async count(from: Date, to: Date) {
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

  /** Finds refused requests in a period, newest first, and only those of game servers unless `all` is set. */
  refusals(since: Date, { all = false }, limit: number): Promise<RefusedRequest[]> {
    return this.dataSource.manager.find(RefusedRequest, {
      where: { createdAt: MoreThanOrEqual(since), ...(!all && { reason: Not(IsNull()) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** Summarises the e-mails to each domain, the domain with the most e-mails first. */
  async mails(since: Date) {
    const rows = await this.dataSource.query<Array<Record<string, unknown>>>(MAILS_BY_DOMAIN, [
      sqlTime(since),
    ]);
    const numberOf = (value: unknown) => (value === null ? null : Number(value));
    const domains = rows.map((row) => ({
      domain: row.domain as string,
      sent: Number(row.sent),
      failed: Number(row.failed),
      held_back: Number(row.held_back),
      is_slow: Number(row.slow) > 0 && Number(row.slow) * SLOW_ONE_IN >= Number(row.measured),
      median_ms: numberOf(row.median_ms),
      slowest_ms: numberOf(row.slowest_ms),
      last: toIsoTime(row.last)!,
      last_outcome: row.last_outcome as MailOutcome,
      last_reply: row.last_outcome === 'sent' ? MAIL_ACCEPTED : numberOf(row.last_reply),
    }));
    return { domains, total: Number(rows[0]?.total ?? 0) };
  }

  async registrations(since: Date) {
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

/** Returns whether all texts are ASCII. MySQL cannot use an index to compare an ASCII column with other text. */
function areAscii(...texts: Array<string | undefined>): boolean {
  return texts.every((text) => text === undefined || /^[\x20-\x7e]*$/.test(text));
}

function toConditions({ since, before }: EventFilter) {
  return {
    ...(since && { createdAt: MoreThanOrEqual(since) }),
    ...(before !== undefined && { id: LessThan(before) }),
  };
}

const MAX_ROWS = 50;

export type RequestTrace = Awaited<ReturnType<RequestSearch['find']>>;

@Injectable()
export class RequestSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventSearch,
  ) {}

  async find(given: string) {
    // The service generates ids in upper case, but people type them in lower case.
    const id = requestIdTime(given.toUpperCase()) ? given.toUpperCase() : given;
    const rows = { where: { requestId: id }, order: { id: 'DESC' as const }, take: MAX_ROWS };
    const [logins, withdrawals, changes, refusals] = await Promise.all([
      this.events.logins({ request: id, limit: MAX_ROWS }),
      this.dataSource.manager.find(Withdrawal, rows),
      this.dataSource.manager.find(PlayerChange, rows),
      this.dataSource.manager.find(RefusedRequest, rows),
    ]);
    return { id, beganAt: requestIdTime(id) ?? null, logins, withdrawals, changes, refusals };
  }
}
