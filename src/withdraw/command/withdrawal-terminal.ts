import { Injectable } from '@nestjs/common';
import {
  ACT_OPTIONS,
  type Arguments,
  limitOf,
  operatorOf,
  sinceOf,
  understand,
  wholeOf,
} from '../../command/arguments.js';
import { CommandRefused, type Report, UsageError } from '../../command/command.js';
import { askAtTerminal } from '../../command/consent.js';
import { Settings } from '../../config/settings.js';
import { dayIn } from '../../config/calendar-day.js';
import { differencesReport, totalsReport, zonesReport } from './reconciliation-report.js';
import { Reconciliation } from './reconciliation.js';
import { WithdrawalZones } from '../game/withdrawal-zones.js';
import { WithdrawalOrphans } from '../record/withdrawal-orphans.js';
import { listReport, orphansReport, storyReport } from './withdrawal-report.js';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '../record/withdrawal-states.js';
import { WithdrawalActs } from '../desk/withdrawal-acts.js';
import { WithdrawalSearch } from '../desk/withdrawal-search.js';

export const OPTIONS = [
  ...ACT_OPTIONS,
  'status',
  'limit',
  'date',
  'account',
  'zone',
  'since',
  'before',
];

export const USAGE = `gatehouse withdrawal list [--account <name>] [--zone 3] [--status unknown] [--since 2h] [--limit 50] [--before <id>]
gatehouse withdrawal show <id>                      its story with the evidence, and the balance now
gatehouse withdrawal settle <id> succeeded|failed --by <your name> --note <what it rests on>
gatehouse withdrawal reopen <id> --by <your name> --note <why it was settled wrongly>
                                                    (undoes a wrong settle: it is unknown again, and settled anew)
gatehouse withdrawal orphans                        (orders that were sent and whose withdrawal is gone)
gatehouse withdrawal reconcile [--date YYYY-MM-DD]  (default: yesterday)
<id> is its id or its order_no, as in the game server's log.
At a terminal settle and reopen say what they will do, and ask unless --yes. --json prints JSON. Times are UTC.
On a first run: npm run withdrawal -- … in place of gatehouse withdrawal …

Examples
  gatehouse withdrawal list --account dragon_slayer --since 1d
  gatehouse withdrawal settle 42 succeeded --by anna --note "in the log of zone 3, 14:02" --yes`;

const SETTLE_BY_HAND = '\nThe game servers cannot be asked for these; settle them by hand:';

/** What people do about withdrawals on a terminal. Gives the report to print. */
@Injectable()
export class WithdrawalTerminal {
  constructor(
    private readonly settings: Settings,
    private readonly acts: WithdrawalActs,
    private readonly search: WithdrawalSearch,
    private readonly orphans: WithdrawalOrphans,
    private readonly zones: WithdrawalZones,
    private readonly reconciliation: Reconciliation,
  ) {}

  async run(args: string[]): Promise<Report & { ok: boolean; json: boolean }> {
    const given = understand(args, OPTIONS);
    return { ok: true, ...(await this.answer(given)), json: given.json };
  }

  private async answer(given: Arguments): Promise<Report> {
    const [command, ...rest] = given.words;
    if (command === 'list' && rest.length === 0) return this.list(given);
    if (command === 'show' && rest.length === 1) return this.show(await this.idOf(rest[0]));
    if (command === 'settle' && rest.length === 2)
      return this.settle(await this.idOf(rest[0]), rest[1] ?? '', given);
    if (command === 'reopen' && rest.length === 1)
      return this.reopen(await this.idOf(rest[0]), given);
    if (command === 'orphans' && rest.length === 0) return this.listOrphans();
    if (command === 'reconcile' && rest.length === 0) return this.reconcile(given.texts.date);
    throw new UsageError(command === undefined ? 'say what to do' : 'not understood');
  }

  private async list(given: Arguments): Promise<Report> {
    const { status, account, zone, before } = given.texts;
    if (status !== undefined && !WITHDRAWAL_STATUSES.includes(status as WithdrawalStatus))
      throw new UsageError(`--status is one of ${WITHDRAWAL_STATUSES.join(', ')}`);
    const data = await this.search.find({
      status: status as WithdrawalStatus | undefined,
      account,
      zone: zone === undefined ? undefined : wholeOf(zone, 'id of a zone'),
      before: before === undefined ? undefined : wholeOf(before, 'id of a withdrawal'),
      since: sinceOf(given),
      limit: limitOf(given, 50),
    });
    if (data.length === 0) return { text: 'There are none.', data };
    const unknown = data.filter((row) => row.status === 'unknown');
    const problems = await Promise.all(unknown.map((row) => this.zones.askingProblem(row)));
    const byHand = unknown.flatMap(({ id }, place) =>
      problems[place] ? [`${id}: ${problems[place]}`] : [],
    );
    const text = [listReport(data), ...(byHand.length > 0 ? [SETTLE_BY_HAND, ...byHand] : [])];
    return { text: text.join('\n'), data };
  }

  private async show(id: number): Promise<Report> {
    const story = await this.search.story(id);
    if (!story) throw new CommandRefused(`there is no withdrawal ${id}`);
    return { text: storyReport(story), data: story };
  }

  private async listOrphans(): Promise<Report> {
    const data = await this.orphans.unhandled();
    return { text: data.length === 0 ? 'There are none.' : orphansReport(data), data };
  }

  private async reopen(id: number, given: Arguments): Promise<Report> {
    const who = operatorOf(given);
    const row = await this.search.story(id);
    const state = row ? `, which is ${row.withdrawal.status},` : '';
    await askAtTerminal(
      `This makes withdrawal ${id}${state} unknown again, and locks its role.`,
      given,
    );
    await this.acts.reopen(who, id);
    return { text: `withdrawal ${id} is unknown again, and its role is locked`, data: { id } };
  }

  private async settle(id: number, to: string, given: Arguments): Promise<Report> {
    if (to !== 'succeeded' && to !== 'failed')
      throw new UsageError('settle it as succeeded (it was deducted) or failed (it was not)');
    const who = operatorOf(given);
    const meaning =
      to === 'succeeded' ? 'it was deducted' : 'it was not deducted, and cannot be any more';
    await askAtTerminal(
      `This settles withdrawal ${id} as ${to}: ${meaning}. Its role is free then.`,
      given,
    );
    await this.acts.settle(who, id, to);
    return { text: `withdrawal ${id} is settled: ${to}`, data: { id, status: to } };
  }

  private async reconcile(date: string | undefined): Promise<Report> {
    if (this.settings.problems.length > 0)
      throw new CommandRefused('mend the settings first: reconcile needs timezone and withdraw');
    const { timezone, withdraw } = this.settings.current;
    const yesterday = dayIn(timezone, new Date(Date.now() - 24 * 60 * 60 * 1000));
    const day = date ?? yesterday;
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
      throw new UsageError('--date is a day such as 2026-11-15');
    const rows = await this.reconciliation.dayOf(day);
    const title = `Withdrawals of ${day} (${timezone})`;
    if (withdraw.gm_query_op === null) {
      const totals = await this.reconciliation.totals(rows);
      const note = 'The game servers cannot be asked (gm_query_op is not set): compare by hand.';
      return { text: `${title}\n${note}\n\n${totalsReport(totals)}`, data: { day, totals } };
    }
    const comparisons = await this.reconciliation.compare(rows);
    const notable = comparisons.filter(({ verdict }) => verdict !== 'agrees');
    const text = `${title}\n\n${zonesReport(comparisons)}`;
    const data = { day, orders: comparisons.length, notable };
    if (notable.length === 0) return { text: `${text}\n\nBoth sides agree.`, data };
    return { text: `${text}\n\n${differencesReport(notable)}`, data, ok: false };
  }

  /** An id, or the order_no that the game server's log has. */
  private async idOf(text = ''): Promise<number> {
    if (!text.startsWith('W')) return wholeOf(text, 'id of a withdrawal, and no order_no');
    const id = await this.search.idOfOrder(text);
    if (id === undefined) throw new CommandRefused(`there is no withdrawal with order_no ${text}`);
    return id;
  }
}
