import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { Settings } from '../../../platform/config/settings.js';
import { calendarDay, dayBounds } from '../../../platform/config/time.js';
import { InvalidRequest, NotFound } from '../../../platform/http/errors/http.errors.js';
import {
  IntegerQueryField,
  MAX_INT,
  oneOf,
  TextField,
} from '../../../platform/http/validation/field.decorator.js';
import { Session } from '../../../platform/auth/session.entity.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import {
  OPEN_STATUSES,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '../../../features/withdraw/record/withdrawal-status.js';
import { withdrawalAuditSubject } from '../../actions/events/event-search.js';
import { ActionRefused } from '../../actions/action-refused.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { FourEyesSettlement } from '../../actions/withdrawals/four-eyes-settlement.js';
import {
  MAX_TOGETHER,
  SETTLED_OUTCOMES,
  type SettledOutcome,
  WithdrawalActions,
} from '../../actions/withdrawals/withdrawal-actions.js';
import {
  sumTotals,
  TOTALS_CSV_COLUMNS,
  type WithdrawalFilter,
  WithdrawalSearch,
  type WithdrawalTotals,
} from '../../actions/withdrawals/withdrawal-search.js';
import { hasAuditedViews, maskMailboxes } from '../access/permissions.js';
import { CSV_PAGE_SIZE, CsvExport } from '../http/csv-export.js';
import {
  CursorField,
  DEFAULT_PAGE_SIZE,
  LimitField,
  NoteDto,
  parseTime,
  TimeField,
  toPage,
} from '../http/pagination.dto.js';
import {
  allowedActions,
  toDeclineView,
  toEventView,
  toOrderView,
  toSessionView,
  toSettleRequestView,
  toWithdrawalView,
  WITHDRAWAL_CSV_COLUMNS,
} from './withdrawal.view.js';

export class WithdrawalFilterDto {
  @TextField({ ...oneOf([...WITHDRAWAL_STATUSES, 'waiting']), optional: true })
  status?: WithdrawalStatus | 'waiting';

  @TextField({ max: 64, optional: true })
  account?: string;

  @IntegerQueryField({ optional: true })
  server?: number;

  @TimeField()
  since?: string;

  @TimeField()
  until?: string;

  /** The day is a calendar day in the `timezone` of the settings. */
  @TextField({ ...oneOf(['today', 'yesterday']), optional: true })
  day?: string;
}

export class FindWithdrawalsDto extends WithdrawalFilterDto {
  @CursorField()
  before?: number;

  @LimitField()
  limit?: number;
}

export class SettleDto extends NoteDto {
  @TextField(oneOf(SETTLED_OUTCOMES))
  outcome: SettledOutcome;
}

@Injectable()
export class WithdrawalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: WithdrawalSearch,
    private readonly actions: WithdrawalActions,
    private readonly fourEyes: FourEyesSettlement,
    private readonly audit: AuditLog,
    private readonly csv: CsvExport,
    private readonly settings: Settings,
  ) {}

  async find({ role }: DeskOperator, dto: FindWithdrawalsDto) {
    const { page, servers, next } = await this.readPage(dto);
    const settleRequests = await this.fourEyes.findRequests(page);
    const withdrawals = page.map((row) => {
      const names = { account: row.account, server: servers.get(row.roleServerId) ?? null };
      return toWithdrawalView(row, names, settleRequests.get(row.id) ?? null, role);
    });
    return { withdrawals, next };
  }

  export(me: DeskOperator, filter: WithdrawalFilterDto): Promise<AsyncIterable<string>> {
    return this.csv.begin(
      me,
      { subject: 'withdrawals', filter },
      WITHDRAWAL_CSV_COLUMNS,
      async (before) => {
        const read = await this.readPage(
          Object.assign({}, filter, { before, limit: CSV_PAGE_SIZE }),
        );
        const rows = read.page.map((row) => {
          const names = {
            account: row.account,
            server: read.servers.get(row.roleServerId) ?? null,
          };
          return { ...toWithdrawalView(row, names, null, me.role), ...toOrderView(row) };
        });
        return { rows, next: read.next };
      },
    );
  }

  /** Returns null as the total if no filter limits the rows, because the sum would read the whole table. */
  async totals(dto: WithdrawalFilterDto) {
    const filter = this.toFilter(dto);
    const { since = null, until = null } = filter;
    const servers = isLimited(filter) ? await this.serverTotals(filter) : [];
    const total = toTotalsView(sumTotals(servers.map(({ totals }) => totals)));
    return {
      since,
      until,
      timezone: this.settings.current.timezone,
      total: isLimited(filter) ? total : null,
      servers: servers.map(({ totals, ...server }) => ({ ...server, ...toTotalsView(totals) })),
    };
  }

  /** Exports the totals of each server and, in the last line, of all servers. */
  exportTotals(me: DeskOperator, dto: WithdrawalFilterDto): Promise<AsyncIterable<string>> {
    const what = { subject: 'withdrawals', filter: Object.assign({ totals: true }, dto) };
    return this.csv.begin(me, what, TOTALS_CSV_COLUMNS, async () => {
      const filter = this.toFilter(dto);
      const day = dto.day === undefined ? null : this.calendarDay(dto.day);
      const rows = isLimited(filter) ? await this.search.totalsForCsv(filter, day) : [];
      return { rows, next: null };
    });
  }

  async details(operator: DeskOperator, id: number) {
    const story = await this.search.findDetails(id);
    if (!story) throw new NotFound();
    const { withdrawal, player, problem, events, balanceNow } = story;
    const { role } = operator;
    const [servers, settleRequest, [lastAct], session] = await Promise.all([
      this.search.serverNames([withdrawal.roleServerId]),
      this.fourEyes.findRequest(withdrawal),
      this.audit.findBySubject(withdrawalAuditSubject(id), 1),
      this.findSession(withdrawal),
    ]);
    const names = {
      account: player?.account ?? null,
      server: servers.get(withdrawal.roleServerId) ?? null,
    };
    if (hasAuditedViews(role))
      await this.audit.writeView(operator.name, withdrawalAuditSubject(id));
    const { settle_request, ...row } = toWithdrawalView(withdrawal, names, settleRequest, role);
    return {
      withdrawal: { ...row, ...toOrderView(withdrawal) },
      player: player && {
        id: withdrawal.playerId,
        account: player.account,
        game_account: player.gameAccount ?? player.account,
      },
      session: session && toSessionView(session),
      problem: problem ?? null,
      events: events.map((event) => toEventView(event, role)),
      balance_now: balanceNow,
      settle_request,
      settle_decline: toDeclineView(withdrawal, lastAct, role),
      needs_two: this.fourEyes.needsSecondOperator(withdrawal),
      may: allowedActions(withdrawal, settleRequest, operator),
    };
  }

  async settle({ name: by }: DeskOperator, id: number, { outcome, note }: SettleDto) {
    const settled = await this.fourEyes.settle({ by, note }, id, outcome);
    return settled ? { settled } : { settled, waits_for_second: true as const };
  }

  /** Returns the evidence of withdrawals, and the reason if they cannot be settled together. */
  async previewTogether({ name, role }: DeskOperator, text: string) {
    const ids = parseIds(text.split(',').map(Number));
    const problem = await this.actions.findTogether(ids).then(
      () => null,
      (error: Error) => {
        if (error instanceof ActionRefused) return error.message;
        throw error;
      },
    );
    const found = await this.search.findEvidence(ids);
    const requests = await this.fourEyes.findRequests(found.map(({ withdrawal }) => withdrawal));
    const amount = found.reduce((sum, { withdrawal }) => sum + withdrawal.amount, 0);
    if (hasAuditedViews(role))
      for (const { withdrawal } of found)
        await this.audit.writeView(name, withdrawalAuditSubject(withdrawal.id));
    return {
      problem,
      amount,
      needs_two: this.fourEyes.needsSecondOperator({ amount }),
      withdrawals: found.map(({ withdrawal, event, balanceNow, difference, balanceSays }) => ({
        id: withdrawal.id,
        player_id: withdrawal.playerId,
        account: withdrawal.account,
        role_name: withdrawal.roleName,
        amount: withdrawal.amount,
        order_no: withdrawal.orderNo,
        balance_before: withdrawal.balanceBefore,
        balance_now: balanceNow,
        difference,
        balance_says: balanceSays,
        evidence: maskMailboxes(event?.evidence ?? null, role),
        settle_request: toSettleRequestView(requests.get(withdrawal.id) ?? null, role),
      })),
    };
  }

  async settleTogether({ name: by }: DeskOperator, given: unknown, { outcome, note }: SettleDto) {
    const results = await this.fourEyes.settleTogether({ by, note }, parseIds(given), outcome);
    return { waits_for_second: results === null, results: results ?? [] };
  }

  async cancel(operator: DeskOperator, id: number, note: string) {
    await this.fourEyes.cancel({ by: operator.name, note }, id);
    return this.details(operator, id);
  }

  async decline(operator: DeskOperator, id: number, { outcome, note }: SettleDto) {
    await this.fourEyes.decline({ by: operator.name, note }, id, outcome);
    return this.details(operator, id);
  }

  async reopen(operator: DeskOperator, id: number, note: string) {
    await this.actions.reopen({ by: operator.name, note }, id);
    return this.details(operator, id);
  }

  /** Returns null if the session is not known or was deleted. */
  private findSession({ playerId, sessionId: id }: Withdrawal): Promise<Session | null> {
    if (id === null) return Promise.resolve(null);
    return this.dataSource.manager.findOneBy(Session, { playerId, id });
  }

  private async serverTotals(filter: WithdrawalFilter) {
    const totals = await this.search.totals(filter);
    const names = await this.search.serverNames([...totals.keys()]);
    return Array.from(totals, ([id, ofServer]) => ({
      server_id: id,
      server: names.get(id) ?? null,
      totals: ofServer,
    }));
  }

  /** Limits the period to the part that is on the given day. */
  private toFilter({ since, until, day, ...filter }: WithdrawalFilterDto): WithdrawalFilter {
    const bounds = day && dayBounds(this.settings.current.timezone, this.calendarDay(day));
    const [from, to] = [parseTime(since), parseTime(until)];
    if (!bounds) return { ...filter, since: from, until: to };
    return {
      ...filter,
      since: from && from > bounds.from ? from : bounds.from,
      until: to && to < bounds.to ? to : bounds.to,
    };
  }

  private calendarDay(day: string): string {
    return calendarDay(this.settings.current.timezone, day);
  }

  private async readPage({ limit = DEFAULT_PAGE_SIZE, before, ...filter }: FindWithdrawalsDto) {
    const rows = await this.search.find({ ...this.toFilter(filter), before, limit: limit + 1 });
    const { page, next } = toPage(rows, limit);
    const servers = await this.search.serverNames(page.map(({ roleServerId }) => roleServerId));
    return { page, servers, next };
  }
}

/** Returns whether the filter limits the rows. Totals without such a filter would read the whole table. */
function isLimited({ since, account, status }: WithdrawalFilter): boolean {
  const isOpen = status === 'waiting' || OPEN_STATUSES.includes(status!);
  return since !== undefined || account !== undefined || isOpen;
}

function parseIds(given: unknown): number[] {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MAX_TOGETHER;
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_INT;
  if (!isList || !given.every(isId))
    throw new InvalidRequest([{ field: 'ids', message: `must be 1 to ${MAX_TOGETHER} ids` }]);
  return given as number[];
}

function toTotalsView({ count, amount, succeeded, succeededAmount }: WithdrawalTotals) {
  return { count, amount, succeeded, succeeded_amount: succeededAmount };
}
