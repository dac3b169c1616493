import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { FourEyesSettlement } from '../../actions/withdrawals/four-eyes-settlement.js';
import { withdrawalAuditSubject } from '../../actions/audit-subjects.js';
import { WithdrawalActions } from '../../actions/withdrawals/withdrawal-actions.js';
import { WithdrawalSearch } from '../../actions/withdrawals/withdrawal-search.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import type { SettleResult, WithdrawalList, WithdrawalDetails } from '../responses/withdrawals.js';
import { CSV_PAGE_SIZE, CsvExport } from '../csv-export.js';
import { DEFAULT_PAGE_SIZE, toPage, parseTime } from '../pagination.dto.js';
import { hasAuditedViews } from '../permissions.js';
import {
  allowedActions,
  toDeclineView,
  toEventView,
  toOrderView,
  toWithdrawalView,
} from './withdrawal.view.js';
import type { FindWithdrawalsDto, SettleDto, WithdrawalFilterDto } from './withdrawals.dto.js';

const COLUMNS = [
  'id',
  'created_at',
  'status',
  'reason',
  'amount',
  'account',
  'player_id',
  'role_server_id',
  'server',
  'role_id',
  'role_name',
  'order_no',
  'sent_at',
  'settled_at',
] as const;

/** Withdrawals, for the desk. */
@Injectable()
export class WithdrawalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: WithdrawalSearch,
    private readonly actions: WithdrawalActions,
    private readonly fourEyes: FourEyesSettlement,
    private readonly audit: AuditLog,
    private readonly csv: CsvExport,
  ) {}

  async find({ role }: DeskOperator, dto: FindWithdrawalsDto): Promise<WithdrawalList> {
    const { page, servers, next } = await this.readPage(dto);
    const settleRequests = await this.fourEyes.findRequests(page);
    const withdrawals = page.map((row) => {
      const names = { account: row.account, server: servers.get(row.roleServerId) ?? null };
      return toWithdrawalView(row, names, settleRequests.get(row.id) ?? null, role);
    });
    return { withdrawals, next };
  }

  /** Every matching withdrawal. */
  export(me: DeskOperator, filter: WithdrawalFilterDto): Promise<AsyncIterable<string>> {
    return this.csv.begin(me, { subject: 'withdrawals', filter }, COLUMNS, async (before) => {
      const read = await this.readPage(Object.assign({}, filter, { before, limit: CSV_PAGE_SIZE }));
      const rows = read.page.map((row) => {
        const names = { account: row.account, server: read.servers.get(row.roleServerId) ?? null };
        return { ...toWithdrawalView(row, names, null, me.role), ...toOrderView(row) };
      });
      return { rows, next: read.next };
    });
  }

  async details(operator: DeskOperator, id: number): Promise<WithdrawalDetails> {
    const story = await this.search.findDetails(id);
    if (!story) throw new NotFound();
    const { withdrawal, player, problem, events, balanceNow } = story;
    const { role } = operator;
    const [servers, settleRequest, [lastAct]] = await Promise.all([
      this.serverNames([withdrawal]),
      this.fourEyes.findRequest(withdrawal),
      this.audit.findBySubject(withdrawalAuditSubject(id), 1),
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
      problem: problem ?? null,
      events: events.map((event) => toEventView(event, role)),
      balance_now: balanceNow,
      settle_request,
      settle_decline: toDeclineView(withdrawal, lastAct, role),
      needs_two: this.fourEyes.needsSecondOperator(withdrawal),
      may: allowedActions(withdrawal, settleRequest, operator),
    };
  }

  async settle(
    { name: by }: DeskOperator,
    id: number,
    { outcome, note }: SettleDto,
  ): Promise<SettleResult> {
    const settled = await this.fourEyes.settle({ by, note }, id, outcome);
    return settled ? { settled } : { settled, waits_for_second: true };
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

  private async readPage({ limit = DEFAULT_PAGE_SIZE, since, ...filter }: FindWithdrawalsDto) {
    const rows = await this.search.find({ ...filter, since: parseTime(since), limit: limit + 1 });
    const { page, next } = toPage(rows, limit);
    return { page, servers: await this.serverNames(page), next };
  }

  private async serverNames(rows: Withdrawal[]): Promise<Map<number, string>> {
    const servers = await this.dataSource.manager.find(GameServer, {
      select: { id: true, name: true },
      where: { id: In([...new Set(rows.map(({ roleServerId }) => roleServerId))]) },
    });
    return new Map(servers.map(({ id, name }) => [id, name]));
  }
}
