import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { FourEyesSettlement } from '../../actions/withdrawals/four-eyes-settlement.js';
import {
  withdrawalAuditSubject,
  WithdrawalActions,
} from '../../actions/withdrawals/withdrawal-actions.js';
import { WithdrawalSearch } from '../../actions/withdrawals/withdrawal-search.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import type { SettleResult, WithdrawalList, WithdrawalDetails } from '../responses/withdrawals.js';
import { DEFAULT_PAGE_SIZE, toPage, parseTime } from '../pagination.dto.js';
import { hasAuditedViews } from '../permissions.js';
import { allowedActions, toEventView, toOrderView, toWithdrawalView } from './withdrawal.view.js';
import type { FindWithdrawalsDto, SettleDto } from './withdrawals.dto.js';

/** Withdrawals, for the desk. */
@Injectable()
export class WithdrawalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: WithdrawalSearch,
    private readonly actions: WithdrawalActions,
    private readonly fourEyes: FourEyesSettlement,
    private readonly audit: AuditLog,
  ) {}

  async find({ role }: DeskOperator, dto: FindWithdrawalsDto): Promise<WithdrawalList> {
    const { limit = DEFAULT_PAGE_SIZE, since, ...filter } = dto;
    const rows = await this.search.find({ ...filter, since: parseTime(since), limit: limit + 1 });
    const { page, next } = toPage(rows, limit);
    const [servers, settleRequests] = await Promise.all([
      this.serverNames(page),
      this.fourEyes.findRequests(page),
    ]);
    const withdrawals = page.map((row) => {
      const names = { account: row.account, server: servers.get(row.roleServerId) ?? null };
      return toWithdrawalView(row, names, settleRequests.get(row.id) ?? null, role);
    });
    return { withdrawals, next };
  }

  async details(operator: DeskOperator, id: number): Promise<WithdrawalDetails> {
    const story = await this.search.findDetails(id);
    if (!story) throw new NotFound();
    const { withdrawal, player, problem, events, balanceNow } = story;
    const { role } = operator;
    const [servers, settleRequest] = await Promise.all([
      this.serverNames([withdrawal]),
      this.fourEyes.findRequest(withdrawal),
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

  async reopen(operator: DeskOperator, id: number, note: string) {
    await this.actions.reopen({ by: operator.name, note }, id);
    return this.details(operator, id);
  }

  private async serverNames(rows: Withdrawal[]): Promise<Map<number, string>> {
    const servers = await this.dataSource.manager.find(GameServer, {
      select: { id: true, name: true },
      where: { id: In([...new Set(rows.map(({ roleServerId }) => roleServerId))]) },
    });
    return new Map(servers.map(({ id, name }) => [id, name]));
  }
}
