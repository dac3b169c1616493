import { Injectable } from '@nestjs/common';
import {
  ACTION_OPTIONS,
  type Arguments,
  parseLimit,
  requireAttribution,
  parseSince,
  parseArguments,
  parsePositiveInt,
} from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { confirmIfInteractive } from '../confirm.js';
import { Settings } from '../../../platform/config/settings.js';
import { localDay } from '../../../platform/config/calendar-day.js';
import {
  differencesReport,
  roleTotalsReport,
  serverTotalsReport,
} from './reconciliation-report.js';
import { Reconciliation } from './reconciliation.js';
import { WithdrawalServers } from '../../../features/withdraw/game/withdrawal-servers.js';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';
import { withdrawalListReport, orphansReport, withdrawalReport } from './withdrawal-report.js';
import {
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '../../../features/withdraw/record/withdrawal-status.js';
import { WithdrawalActions } from '../../actions/withdrawals/withdrawal-actions.js';
import { WithdrawalSearch } from '../../actions/withdrawals/withdrawal-search.js';

export const OPTIONS = [
  ...ACTION_OPTIONS,
  'status',
  'limit',
  'date',
  'account',
  'server',
  'since',
  'before',
];

export const USAGE = `gatehouse withdrawal list [--account <name>] [--server 3] [--status unknown] [--since 2h] [--limit 50] [--before <id>]
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
  gatehouse withdrawal settle 42 succeeded --by anna --note "in the log of server 3, 14:02" --yes`;

const SETTLE_BY_HAND = '\nThe game servers cannot be asked for these; settle them by hand:';

/** What people do about withdrawals on a terminal. Gives the report to print. */
@Injectable()
export class WithdrawalCommand {
  constructor(
    private readonly settings: Settings,
    private readonly actions: WithdrawalActions,
    private readonly search: WithdrawalSearch,
    private readonly orphans: WithdrawalOrphans,
    private readonly servers: WithdrawalServers,
    private readonly reconciliation: Reconciliation,
  ) {}

  async run(args: string[]): Promise<Report & { ok: boolean; json: boolean }> {
    const given = parseArguments(args, OPTIONS);
    return { ok: true, ...(await this.dispatch(given)), json: given.json };
  }

  private async dispatch(given: Arguments): Promise<Report> {
    const [command, ...rest] = given.positionals;
    if (command === 'list' && rest.length === 0) return this.list(given);
    if (command === 'show' && rest.length === 1) return this.show(await this.resolveId(rest[0]));
    if (command === 'settle' && rest.length === 2)
      return this.settle(await this.resolveId(rest[0]), rest[1] ?? '', given);
    if (command === 'reopen' && rest.length === 1)
      return this.reopen(await this.resolveId(rest[0]), given);
    if (command === 'orphans' && rest.length === 0) return this.listOrphans();
    if (command === 'reconcile' && rest.length === 0) return this.reconcile(given.options.date);
    throw new UsageError(command === undefined ? 'say what to do' : 'not understood');
  }

  private async list(given: Arguments): Promise<Report> {
    const { status, account, server, before } = given.options;
    if (status !== undefined && !WITHDRAWAL_STATUSES.includes(status as WithdrawalStatus))
      throw new UsageError(`--status is one of ${WITHDRAWAL_STATUSES.join(', ')}`);
    const data = await this.search.find({
      status: status as WithdrawalStatus | undefined,
      account,
      server: server === undefined ? undefined : parsePositiveInt(server, 'id of a server'),
      before: before === undefined ? undefined : parsePositiveInt(before, 'id of a withdrawal'),
      since: parseSince(given),
      limit: parseLimit(given, 50),
    });
    if (data.length === 0) return { text: 'There are none.', data };
    const unknown = data.filter((row) => row.status === 'unknown');
    const problems = await Promise.all(unknown.map((row) => this.servers.findQueryProblem(row)));
    const byHand = unknown.flatMap(({ id }, place) =>
      problems[place] ? [`${id}: ${problems[place]}`] : [],
    );
    const text = [
      withdrawalListReport(data),
      ...(byHand.length > 0 ? [SETTLE_BY_HAND, ...byHand] : []),
    ];
    return { text: text.join('\n'), data };
  }

  private async show(id: number): Promise<Report> {
    const details = await this.search.findDetails(id);
    if (!details) throw new CommandFailed(`there is no withdrawal ${id}`);
    return { text: withdrawalReport(details), data: details };
  }

  private async listOrphans(): Promise<Report> {
    const data = await this.orphans.findUnhandled();
    return { text: data.length === 0 ? 'There are none.' : orphansReport(data), data };
  }

  private async reopen(id: number, given: Arguments): Promise<Report> {
    const who = requireAttribution(given);
    const row = await this.search.findDetails(id);
    const state = row ? `, which is ${row.withdrawal.status},` : '';
    await confirmIfInteractive(
      `This makes withdrawal ${id}${state} unknown again, and locks its role.`,
      given,
    );
    await this.actions.reopen(who, id);
    return { text: `withdrawal ${id} is unknown again, and its role is locked`, data: { id } };
  }

  private async settle(id: number, to: string, given: Arguments): Promise<Report> {
    if (to !== 'succeeded' && to !== 'failed')
      throw new UsageError('settle it as succeeded (it was deducted) or failed (it was not)');
    const who = requireAttribution(given);
    const meaning =
      to === 'succeeded' ? 'it was deducted' : 'it was not deducted, and cannot be any more';
    await confirmIfInteractive(
      `This settles withdrawal ${id} as ${to}: ${meaning}. Its role is free then.`,
      given,
    );
    await this.actions.settle(who, id, to);
    return { text: `withdrawal ${id} is settled: ${to}`, data: { id, status: to } };
  }

  private async reconcile(date: string | undefined): Promise<Report> {
    if (this.settings.problems.length > 0)
      throw new CommandFailed('mend the settings first: reconcile needs timezone and withdraw');
    const { timezone, withdraw } = this.settings.current;
    const yesterday = localDay(timezone, new Date(Date.now() - 24 * 60 * 60 * 1000));
    const day = date ?? yesterday;
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
      throw new UsageError('--date is a day such as 2026-11-15');
    const rows = await this.reconciliation.findByDay(day);
    const title = `Withdrawals of ${day} (${timezone})`;
    if (withdraw.gm_query_op === null) {
      const totals = await this.reconciliation.totals(rows);
      const note = 'The game servers cannot be asked (gm_query_op is not set): compare by hand.';
      return { text: `${title}\n${note}\n\n${roleTotalsReport(totals)}`, data: { day, totals } };
    }
    const comparisons = await this.reconciliation.compare(rows);
    const notable = comparisons.filter(({ verdict }) => verdict !== 'agrees');
    const text = `${title}\n\n${serverTotalsReport(comparisons)}`;
    const data = { day, orders: comparisons.length, notable };
    if (notable.length === 0) return { text: `${text}\n\nBoth sides agree.`, data };
    return { text: `${text}\n\n${differencesReport(notable)}`, data, ok: false };
  }

  /** An id, or the order_no that the game server's log has. */
  private async resolveId(text = ''): Promise<number> {
    if (!text.startsWith('W')) return parsePositiveInt(text, 'id of a withdrawal, and no order_no');
    const id = await this.search.findIdByOrderNo(text);
    if (id === undefined) throw new CommandFailed(`there is no withdrawal with order_no ${text}`);
    return id;
  }
}
