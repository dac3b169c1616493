import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { toIsoTime } from '../../../platform/database/sql.js';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import {
  type EndpointBacklog,
  EventBacklog,
} from '../../../platform/events/event-backlog.service.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { ApprovalRequest } from '../../actions/four-eyes/four-eyes.js';
import { countFailed } from '../../actions/instances/instance-metrics.js';
import type { MailSummary } from './dashboard-mail.js';

const GUESSES_WITHIN_MS = 600_000;
const MAILS_WITHIN_MS = 600_000;
const GUESSES_EVERY_MS = 60_000;
const MANY_GUESSES = 50;
const MAX_GUESSED = 1000;
const CAP_WARNING_SHARE = 0.9;

interface ActionItem {
  kind: string;
  text_key: string;
  count?: number;
  oldest?: string | null;
  link: string;
  /** Names what the item is about, such as a mail domain. */
  about?: string;
}

interface DashboardFacts {
  registrations: { today: number; cap: number | null };
  failingServers: number;
  impairedInstances: number;
  versionsDiffer: boolean;
  isRedisDown: boolean;
  mail: MailSummary;
}

interface Backlog {
  count: number;
  /** Drivers return this time in different formats. */
  oldest: unknown;
}

/** Lists problems that an operator has to handle, most urgent first. */
@Injectable()
export class DashboardActionItems {
  private guessing: ActionItem[] = [];
  private guessesCheckedAt = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly orphans: WithdrawalOrphans,
    private readonly events: EventSearch,
    private readonly backlog: EventBacklog,
  ) {}

  async find(facts: DashboardFacts): Promise<ActionItem[]> {
    const { registrations, failingServers, impairedInstances: badInstances } = facts;
    const [unknown, settleRequests, serverRequests, orphans, guessing, endpoints, mails] =
      await Promise.all([
        this.countUnknown(),
        this.countSettleRequests(),
        this.countServerRequests(),
        this.countOrphans(),
        this.guesses(),
        this.backlog.find(),
        this.mailItems(facts.mail),
      ]);
    const { today, cap } = registrations;
    const waitingItem = (kind: string, link: string, { count, oldest }: Backlog) =>
      count > 0 ? [actionItem(kind, link, { count, oldest: toIsoTime(oldest) })] : [];
    return [
      ...(badInstances > 0 ? [actionItem('instance', '/', { count: badInstances })] : []),
      // Withdrawals with a settle request are also unknown, so their number is subtracted.
      ...waitingItem('unknown_withdrawal', '/withdrawals?status=unknown', {
        ...unknown,
        count: unknown.count - settleRequests.count,
      }),
      ...waitingItem('settle_waits', '/withdrawals?status=waiting', settleRequests),
      ...waitingItem('server_waits', '/servers', serverRequests),
      ...waitingItem('orphan', '/withdrawals', orphans),
      ...(failingServers > 0
        ? [actionItem('server_failing', '/servers', { count: failingServers })]
        : []),
      ...eventItems(endpoints),
      ...guessing,
      ...(cap !== null && today >= cap * CAP_WARNING_SHARE
        ? [actionItem('cap_near', '/', { count: today })]
        : []),
      ...(facts.isRedisDown ? [actionItem('redis_down', '/')] : []),
      ...mails,
      ...(facts.versionsDiffer ? [actionItem('versions_differ', '/')] : []),
    ];
  }

  private countUnknown(): Promise<Backlog> {
    return countBacklog(
      this.dataSource.createQueryBuilder(Withdrawal, 'waiting').where({ status: 'unknown' }),
    );
  }

  /** Counts proposed settlements that wait for a second operator. */
  private countSettleRequests(): Promise<Backlog> {
    const same = `waiting.kind = 'withdrawal' AND w.id = waiting.targetId AND w.orderNo = waiting.orderNo AND w.status = 'unknown'`;
    const requests = this.dataSource.createQueryBuilder(ApprovalRequest, 'waiting');
    return countBacklog(requests.innerJoin(Withdrawal, 'w', same));
  }

  private countServerRequests(): Promise<Backlog> {
    const requests = this.dataSource.createQueryBuilder(ApprovalRequest, 'waiting');
    return countBacklog(requests.where({ kind: 'server' }));
  }

  private async countOrphans(): Promise<Backlog> {
    const orphans = await this.orphans.findUnhandled();
    return { count: orphans.length, oldest: orphans[0]?.createdAt ?? null };
  }

  /** Reads ten minutes of sign-ins, which is too expensive for every refresh. */
  private async guesses(): Promise<ActionItem[]> {
    const now = performance.now();
    if (now - this.guessesCheckedAt < GUESSES_EVERY_MS) return this.guessing;
    this.guessesCheckedAt = now;
    const since = new Date(Date.now() - GUESSES_WITHIN_MS);
    const { groups } = await this.events.guesses('player_id', since, MAX_GUESSED);
    const many = groups.filter(({ player, tries }) => player !== null && tries >= MANY_GUESSES);
    const count = many.length;
    return (this.guessing = count > 0 ? [actionItem('guessing', '/guesses', { count })] : []);
  }

  private async mailItems({
    state,
    mails_last_10_minutes: mails,
  }: MailSummary): Promise<ActionItem[]> {
    if (state === 'down') return [actionItem('mail_down', '/mails')];
    if (state !== 'failing' && state !== 'slow') return [];
    const { domains } = await this.events.mails(new Date(Date.now() - MAILS_WITHIN_MS));
    const rank = (domain: (typeof domains)[number]) =>
      state === 'slow' ? (domain.median_ms ?? 0) : domain.failed;
    const [worst] = domains
      .filter(({ is_slow, failed }) => (state === 'slow' ? is_slow : failed > 0))
      .toSorted((one, other) => rank(other) - rank(one));
    const count = state === 'failing' && mails ? countFailed(mails) : undefined;
    return [actionItem(`mail_${state}`, '/mails', { count, about: worst?.domain })];
  }
}

function eventItems(backlog: EndpointBacklog[]): ActionItem[] {
  const endpoints = backlog.filter(({ isRemoved }) => !isRemoved);
  const count = endpoints.reduce((sum, { dead }) => sum + dead, 0);
  const blocked = endpoints.filter(({ problem, waiting }) => problem !== null && waiting > 0);
  return [
    ...(count > 0 ? [actionItem('dead_events', '/events', { count })] : []),
    ...(blocked.length > 0
      ? [actionItem('events_wait', '/events', { count: blocked.length })]
      : []),
  ];
}

function actionItem(kind: string, link: string, more: Partial<ActionItem> = {}): ActionItem {
  return { kind, text_key: `needs.${kind}`, link, ...more };
}

async function countBacklog<Row extends Withdrawal | ApprovalRequest>(
  rows: SelectQueryBuilder<Row>,
): Promise<Backlog> {
  const found = await rows
    .select('COUNT(*)', 'count')
    .addSelect('MIN(waiting.createdAt)', 'oldest')
    .getRawOne<{ count: unknown; oldest: unknown }>();
  return { count: Number(found?.count ?? 0), oldest: found?.oldest ?? null };
}
