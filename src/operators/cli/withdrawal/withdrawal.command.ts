import { Injectable } from '@nestjs/common';
import type { ActionOptions, ListOptions } from '../arguments.js';
import { CommandFailed, type Report } from '../command.js';
import { confirmIfInteractive } from '../confirm.js';
import { Settings } from '../../../platform/config/settings.js';
import { DAY_MS, dayBounds, localDay } from '../../../platform/config/calendar-day.js';
import { balancesReport, differencesReport, serverTotalsReport } from './reconciliation-report.js';
import { type Comparison, Reconciliation } from './reconciliation.js';
import { RoleBalanceComparison } from './role-balances.js';
import { WithdrawalServers } from '../../../features/withdraw/game/withdrawal-servers.js';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';
import { withdrawalListReport, orphansReport, withdrawalReport } from './withdrawal-report.js';
import type { WithdrawalStatus } from '../../../features/withdraw/record/withdrawal-status.js';
import { WithdrawalActions } from '../../actions/withdrawals/withdrawal-actions.js';
import { WithdrawalSearch } from '../../actions/withdrawals/withdrawal-search.js';

interface WithdrawalListOptions extends ListOptions {
  account?: string;
  server?: number;
  status?: WithdrawalStatus;
  since?: Date;
}

interface ReconcileOptions {
  /** `today`, or a day such as 2026-11-15. */
  date?: string;
  server?: number;
}

const NOT_ASKED =
  'settled orders could not be compared: their server was merged, or has another GM interface now.';
const SETTLE_BY_HAND = '\nThe game servers cannot be asked for these; settle them by hand:';

/** Queries and acts about withdrawals, for terminals. Returns the report to print. */
@Injectable()
export class WithdrawalCommand {
  constructor(
    private readonly settings: Settings,
    private readonly actions: WithdrawalActions,
    private readonly search: WithdrawalSearch,
    private readonly orphans: WithdrawalOrphans,
    private readonly servers: WithdrawalServers,
    private readonly reconciliation: Reconciliation,
    private readonly balances: RoleBalanceComparison,
  ) {}

  async list(filter: WithdrawalListOptions): Promise<Report> {
    const data = await this.search.find(filter);
    const unknown = data.filter((row) => row.status === 'unknown');
    const problems = await Promise.all(unknown.map((row) => this.servers.findQueryProblem(row)));
    const byHand = unknown.flatMap(({ id }, place) =>
      problems[place] ? [`${id}: ${problems[place]}`] : [],
    );
    const isUnsure = data.length === 0 && filter.account !== undefined;
    const text = [
      withdrawalListReport(data),
      ...(isUnsure ? [`Is the name right? gatehouse player show ${filter.account}`] : []),
      ...(byHand.length > 0 ? [SETTLE_BY_HAND, ...byHand] : []),
    ];
    return { text: text.join('\n'), data };
  }

  async show(which: number | string): Promise<Report> {
    const id = await this.resolveId(which);
    const details = await this.search.findDetails(id);
    if (!details) throw new CommandFailed(`there is no withdrawal ${id}`);
    return { text: withdrawalReport(details), data: details };
  }

  async listOrphans(): Promise<Report> {
    const data = await this.orphans.findUnhandled();
    return { text: data.length === 0 ? 'There are none.' : orphansReport(data), data };
  }

  async reopen(which: number | string, given: ActionOptions): Promise<Report> {
    const id = await this.resolveId(which);
    const row = await this.search.findDetails(id);
    const state = row ? `, which is ${row.withdrawal.status},` : '';
    await confirmIfInteractive(
      `This makes withdrawal ${id}${state} unknown again, and locks its role.`,
      given,
    );
    await this.actions.reopen(given, id);
    return { text: `withdrawal ${id} is unknown again, and its role is locked`, data: { id } };
  }

  async settle(
    which: number | string,
    to: 'succeeded' | 'failed',
    given: ActionOptions,
  ): Promise<Report> {
    const id = await this.resolveId(which);
    const meaning =
      to === 'succeeded' ? 'it was deducted' : 'it was not deducted, and cannot be any more';
    await confirmIfInteractive(
      `This settles withdrawal ${id} as ${to}: ${meaning}. Its role is free then.`,
      given,
    );
    await this.actions.settle(given, id, to);
    return { text: `withdrawal ${id} is settled: ${to}`, data: { id, status: to } };
  }

  async reconcile({ date, server }: ReconcileOptions): Promise<Report> {
    if (this.settings.problems.length > 0)
      throw new CommandFailed('mend the settings first: reconcile needs timezone and withdraw');
    const { timezone, withdraw } = this.settings.current;
    const now = Date.now();
    const today = localDay(timezone, new Date(now));
    const day = date === 'today' ? today : (date ?? localDay(timezone, new Date(now - DAY_MS)));
    const rows = await this.reconciliation.findByDay(day, server);
    const of = server === undefined ? '' : `, server ${server}`;
    const title = `Withdrawals of ${day} (${timezone})${of}`;
    const servers = this.reconciliation.serverTotals(rows);
    if (server !== undefined && rows.length === 0 && !(await this.servers.exists(server)))
      throw new CommandFailed(`there is no server ${server}`);
    if (servers.length === 0)
      return { text: `${title}\nNo order was sent.`, data: { day, servers } };
    if (withdraw.gm_query_op === null) {
      const { from } = dayBounds(timezone, day);
      const report = balancesReport(rows, await this.balances.compare(rows, from));
      const text = `${title}\n\n${serverTotalsReport(servers)}\n\n${report.text}`;
      return { text, data: { day, servers, ...report.data }, ok: report.ok };
    }
    const comparisons = await this.reconciliation.compare(rows);
    const notable = comparisons.filter(
      ({ verdict }) => verdict !== 'agrees' && verdict !== 'not asked',
    );
    const text = `${title}\n\n${serverTotalsReport(servers, comparisons)}`;
    const data = { day, orders: comparisons.length, servers, notable };
    if (notable.length === 0) return { text: `${text}\n\n${describeAgreement(comparisons)}`, data };
    return { text: `${text}\n\n${differencesReport(notable)}`, data, ok: false };
  }

  private async resolveId(which: number | string): Promise<number> {
    if (typeof which === 'number') return which;
    const id = await this.search.findIdByOrderNo(which);
    if (id === undefined) throw new CommandFailed(`there is no withdrawal with order_no ${which}`);
    return id;
  }
}

function describeAgreement(comparisons: Comparison[]): string {
  const unasked = comparisons.filter(({ verdict }) => verdict === 'not asked').length;
  if (unasked === 0) return 'Both sides agree.';
  const others = unasked < comparisons.length ? 'The others agree.' : 'Nothing could be compared.';
  return `${unasked} ${NOT_ASKED} ${others}`;
}
