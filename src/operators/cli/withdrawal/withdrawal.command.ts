import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WithdrawalServers } from '../../../features/withdraw/game/withdrawal-servers.js';
import { WithdrawalOrphans } from '../../../features/withdraw/record/withdrawal-orphans.js';
import type { WithdrawalStatus } from '../../../features/withdraw/record/withdrawal-status.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { calendarDay, dayBounds, describeTime } from '../../../platform/config/time.js';
import { MAX_TOGETHER, WithdrawalActions } from '../../actions/withdrawals/withdrawal-actions.js';
import { WithdrawalActionsModule } from '../../actions/withdrawals/withdrawal-actions.module.js';
import {
  sumTotals,
  TOTALS_CSV_COLUMNS,
  WithdrawalSearch,
  type WithdrawalTotals,
} from '../../actions/withdrawals/withdrawal-search.js';
import { toCsv } from '../../csv.js';
import { CommandFailed, type Report } from '../command.js';
import type { ActionOptions, ListOptions } from '../command-options.js';
import { confirm } from '../terminal.js';
import {
  balancesReport,
  type Comparison,
  differencesReport,
  Reconciliation,
  RoleBalanceComparison,
  serverTotalsReport,
} from './reconciliation.js';
import {
  evidenceReport,
  orphansReport,
  withdrawalListReport,
  withdrawalReport,
} from './withdrawal-report.js';

type CsvTotals = Awaited<ReturnType<WithdrawalSearch['totalsForCsv']>>;

interface WithdrawalListOptions extends ListOptions {
  account?: string;
  server?: number;
  status?: WithdrawalStatus;
  since?: Date;
  until?: Date;
  /** The day is `today`, `yesterday` or a date such as 2026-11-15. */
  day?: string;
}

interface ReconcileOptions {
  date?: string;
  server?: number;
  csv?: boolean;
}

const NOT_ASKED =
  'settled orders could not be compared: their server was merged, or has another GM interface now.';
const MEANINGS = {
  succeeded: 'it was deducted',
  failed: 'it was not deducted, and cannot be any more',
};
const SETTLE_BY_HAND = '\nThe game servers cannot be asked for these; settle them by hand:';

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

  async list({ day, ...given }: WithdrawalListOptions): Promise<Report> {
    const bounds = day && this.boundsOf(day);
    const filter = bounds ? { ...given, since: bounds.from, until: bounds.to } : given;
    const data = await this.search.find(filter);
    const unknown = data.filter((row) => row.status === 'unknown');
    const problems = await Promise.all(unknown.map((row) => this.servers.findQueryProblem(row)));
    const byHand = unknown.flatMap(({ id }, place) =>
      problems[place] ? [`${id}: ${problems[place]}`] : [],
    );
    const isUnsure = data.length === 0 && filter.account !== undefined;
    const text = [
      data.length === 0
        ? `There are none${this.describePeriod(filter)}.`
        : withdrawalListReport(data),
      ...(isUnsure ? [`Is the name right? gatehouse player show ${filter.account}`] : []),
      ...(filter.since ? [`\n${totalText(await this.search.totals(filter))}`] : []),
      ...(byHand.length > 0 ? [SETTLE_BY_HAND, ...byHand] : []),
    ];
    return { text: text.join('\n'), data };
  }

  /** Describes the searched period in the configured time zone, because players rarely give times in UTC. */
  private describePeriod({ since, until }: { since?: Date; until?: Date }): string {
    const { timezone } = this.settings.current;
    const from = since && ` from ${describeTime(since, timezone)}`;
    const to = until && ` until ${describeTime(until, timezone)}`;
    return `${from ?? ''}${to ?? ''}`;
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
    await confirm(`This makes withdrawal ${id}${state} unknown again, and locks its role.`, given);
    await this.actions.reopen(given, id);
    return { text: `withdrawal ${id} is unknown again, and its role is locked`, data: { id } };
  }

  async settle(
    which: Array<number | string>,
    to: 'succeeded' | 'failed',
    given: ActionOptions,
  ): Promise<Report> {
    if (which.length > MAX_TOGETHER)
      throw new CommandFailed(`at most ${MAX_TOGETHER} withdrawals can be settled together`);
    const ids: number[] = [];
    for (const one of which) ids.push(await this.resolveId(one));
    const rows = await this.actions.findTogether(ids);
    if (rows.length === 1) return this.settleOne(rows[0]!.id, to, given);
    const evidence = await this.search.findEvidence(rows.map(({ id }) => id));
    const sum = rows.reduce((all, { amount }) => all + amount, 0);
    const of = `${rows.length} withdrawals of server ${rows[0]!.roleServerId} with ${sum}`;
    // Standard output is reserved for the result.
    console.error(evidenceReport(evidence));
    await confirm(
      `This settles ${of} as ${to}: ${MEANINGS[to]}. After that, their roles can withdraw again.`,
      given,
    );
    const results = await this.actions.settleEach(rows, ({ id }) =>
      this.actions.settle(given, id, to),
    );
    const lines = results.map(({ id, problem }) =>
      problem === null ? `withdrawal ${id} is settled: ${to}` : `NOT SETTLED: ${problem}`,
    );
    const ok = results.every(({ problem }) => problem === null);
    return { text: lines.join('\n'), data: results, ok };
  }

  private async settleOne(
    id: number,
    to: 'succeeded' | 'failed',
    given: ActionOptions,
  ): Promise<Report> {
    // Standard output is reserved for the result.
    console.error(evidenceReport(await this.search.findEvidence([id])));
    await confirm(
      `This settles withdrawal ${id} as ${to}: ${MEANINGS[to]}. After that, its role can withdraw again.`,
      given,
    );
    await this.actions.settle(given, id, to);
    return { text: `withdrawal ${id} is settled: ${to}`, data: { id, status: to } };
  }

  async reconcile({ date = 'yesterday', server, csv = false }: ReconcileOptions): Promise<Report> {
    const { from, to } = this.boundsOf(date);
    const bounds = { since: from, until: to };
    const { timezone, withdraw } = this.settings.current;
    const day = calendarDay(timezone, date);
    const rows = await this.reconciliation.findByDay(day, server);
    const of = server === undefined ? '' : `, server ${server}`;
    const title = `Withdrawals of ${day} (${timezone})${of}`;
    const servers = this.reconciliation.serverTotals(rows);
    if (server !== undefined && rows.length === 0 && !(await this.servers.exists(server)))
      throw new CommandFailed(`there is no server ${server}`);
    const totals = csv ? await this.search.totalsForCsv({ ...bounds, server }, day) : [];
    const finish = (report: Report) => (csv ? csvReport(totals, report) : report);
    if (servers.length === 0)
      return finish({ text: `${title}\nNo order was sent.`, data: { day, servers } });
    if (withdraw.gm_query_op === null) {
      const report = balancesReport(rows, await this.balances.compare(rows, from));
      const text = `${title}\n\n${serverTotalsReport(servers)}\n\n${report.text}`;
      return finish({ text, data: { day, servers, ...report.data }, ok: report.ok });
    }
    const comparisons = await this.reconciliation.compare(rows);
    const notable = comparisons.filter(
      ({ verdict }) => verdict !== 'agrees' && verdict !== 'not asked',
    );
    const text = `${title}\n\n${serverTotalsReport(servers, comparisons)}`;
    const data = { day, orders: comparisons.length, servers, notable };
    if (notable.length === 0)
      return finish({ text: `${text}\n\n${describeAgreement(comparisons)}`, data });
    return finish({ text: `${text}\n\n${differencesReport(notable)}`, data, ok: false });
  }

  private boundsOf(day: string): { from: Date; to: Date } {
    if (this.settings.problems.length > 0)
      throw new CommandFailed(
        'correct the settings file first, because a day depends on its timezone',
      );
    const { timezone } = this.settings.current;
    return dayBounds(timezone, calendarDay(timezone, day));
  }

  private async resolveId(which: number | string): Promise<number> {
    if (typeof which === 'number') return which;
    const id = await this.search.findIdByOrderNo(which);
    if (id === undefined) throw new CommandFailed(`there is no withdrawal with order_no ${which}`);
    return id;
  }
}

function totalText(servers: Map<number, WithdrawalTotals>): string {
  const { count, amount, succeeded, succeededAmount } = sumTotals(servers.values());
  return `Total: ${count} withdrawals with ${amount}; ${succeeded} succeeded with ${succeededAmount}.`;
}

function csvReport(totals: CsvTotals, { data, ok = true }: Report): Report {
  const rows = totals.map((row) => TOTALS_CSV_COLUMNS.map((column) => row[column]));
  if (!ok) console.error('Not everything agrees. Without --csv this command says what differs.');
  // A terminal would show the carriage returns of a CSV file.
  return {
    text: toCsv([TOTALS_CSV_COLUMNS, ...rows])
      .replaceAll('\r\n', '\n')
      .trimEnd(),
    data,
    ok,
  };
}

function describeAgreement(comparisons: Comparison[]): string {
  const unasked = comparisons.filter(({ verdict }) => verdict === 'not asked').length;
  if (unasked === 0) return 'Both sides agree.';
  const others = unasked < comparisons.length ? 'The others agree.' : 'Nothing could be compared.';
  return `${unasked} ${NOT_ASKED} ${others}`;
}

@Module({
  imports: [WithdrawalActionsModule, TypeOrmModule.forFeature([Player])],
  providers: [Reconciliation, RoleBalanceComparison, WithdrawalCommand],
})
export class WithdrawalCommandModule {}
