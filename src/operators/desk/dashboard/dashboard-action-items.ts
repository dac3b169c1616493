import { Injectable } from '@nestjs/common';
import { toIsoTime } from '../../../platform/database/sql-time.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { countFailed } from '../../actions/instances/mail-deliveries.js';
import { WithdrawalBacklog } from '../../actions/withdrawals/withdrawal-backlog.js';
import type { ActionItem, MailSummary } from '../responses/dashboard.js';

const GUESSES_WITHIN_MS = 600_000;
const GUESSES_EVERY_MS = 60_000;
const MANY_GUESSES = 50;
const CAP_WARNING_SHARE = 0.9;

export interface DashboardFacts {
  registrations: { today: number; cap: number | null };
  failingServers: number;
  impairedInstances: number;
  versionsDiffer: boolean;
  isRedisDown: boolean;
  mail: MailSummary;
}

/** What needs a person, most urgent first. */
@Injectable()
export class DashboardActionItems {
  private guessing: ActionItem[] = [];
  private guessesCheckedAt = -Infinity;

  constructor(
    private readonly waiting: WithdrawalBacklog,
    private readonly events: EventSearch,
  ) {}

  async find(facts: DashboardFacts): Promise<ActionItem[]> {
    const { registrations, failingServers, impairedInstances: badInstances } = facts;
    const [unknown, settleRequests, orphans, guessing] = await Promise.all([
      this.waiting.unknown(),
      this.waiting.settleRequests(),
      this.waiting.orphans(),
      this.guesses(),
    ]);
    const { today, cap } = registrations;
    const waitingItem = (kind: string, link: string, { count, oldest }: typeof unknown) =>
      count > 0 ? [actionItem(kind, link, { count, oldest: toIsoTime(oldest) })] : [];
    return [
      ...(badInstances > 0 ? [actionItem('instance', '/', { count: badInstances })] : []),
      // Those that wait for a second person are unknown, too.
      ...waitingItem('unknown_withdrawal', '/withdrawals?status=unknown', {
        ...unknown,
        count: unknown.count - settleRequests.count,
      }),
      ...waitingItem('settle_waits', '/withdrawals?status=unknown', settleRequests),
      ...waitingItem('orphan', '/withdrawals', orphans),
      ...(failingServers > 0
        ? [actionItem('server_failing', '/servers', { count: failingServers })]
        : []),
      ...guessing,
      ...(cap !== null && today >= cap * CAP_WARNING_SHARE
        ? [actionItem('cap_near', '/', { count: today })]
        : []),
      ...(facts.isRedisDown ? [actionItem('redis_down', '/')] : []),
      ...mailItems(facts.mail),
      ...(facts.versionsDiffer ? [actionItem('versions_differ', '/')] : []),
    ];
  }

  /** It reads ten minutes of sign-ins, so not on every refresh. */
  private async guesses(): Promise<ActionItem[]> {
    const now = performance.now();
    if (now - this.guessesCheckedAt < GUESSES_EVERY_MS) return this.guessing;
    this.guessesCheckedAt = now;
    const since = new Date(Date.now() - GUESSES_WITHIN_MS);
    const many = (await this.events.guesses('player_id', since)).filter(
      ({ player, tries }) => player !== null && tries >= MANY_GUESSES,
    );
    const [worst] = many;
    return (this.guessing = worst
      ? [actionItem('guessing', `/players/${worst.player}`, { count: many.length })]
      : []);
  }
}

function mailItems({ state, mails_last_10_minutes: mails }: MailSummary): ActionItem[] {
  const count = state === 'failing' && mails ? countFailed(mails) : undefined;
  const isBad = state === 'down' || state === 'failing' || state === 'slow';
  return isBad ? [actionItem(`mail_${state}`, '/', { count })] : [];
}

function actionItem(kind: string, link: string, more: Partial<ActionItem> = {}): ActionItem {
  return { kind, text_key: `needs.${kind}`, link, ...more };
}
