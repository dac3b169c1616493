import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { NotFound } from '../../http/errors/http.errors.js';
import { AuditBook } from '../../journal/audit-book.js';
import { SettleByTwo } from '../../withdraw/desk/settle-by-two.js';
import { subjectOfWithdrawal, WithdrawalActs } from '../../withdraw/desk/withdrawal-acts.js';
import { WithdrawalSearch } from '../../withdraw/desk/withdrawal-search.js';
import type { Withdrawal } from '../../withdraw/record/withdrawal.entity.js';
import { Zone } from '../../zones/zone.entity.js';
import type { DeskOperator } from '../access/role.js';
import type { Settled, WithdrawalList, WithdrawalStory } from '../answers/withdrawals.js';
import { LISTED, pageOf, timeOf } from '../list.dto.js';
import { isWatched } from '../permissions.js';
import { actsNow, toEventView, toOrderView, toWithdrawalView } from './withdrawal.view.js';
import type { FindWithdrawalsDto, SettleDto } from './withdrawals.dto.js';

/** What the desk shows and does about withdrawals. */
@Injectable()
export class WithdrawalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: WithdrawalSearch,
    private readonly acts: WithdrawalActs,
    private readonly byTwo: SettleByTwo,
    private readonly audit: AuditBook,
  ) {}

  async find({ role }: DeskOperator, dto: FindWithdrawalsDto): Promise<WithdrawalList> {
    const { limit = LISTED, since, ...filter } = dto;
    const rows = await this.search.find({ ...filter, since: timeOf(since), limit: limit + 1 });
    const { page, next } = pageOf(rows, limit);
    const [zones, wishes] = await Promise.all([this.zoneNames(page), this.byTwo.wishesOf(page)]);
    const withdrawals = page.map((row) => {
      const names = { account: row.account, zone: zones.get(row.zoneId) ?? null };
      return toWithdrawalView(row, names, wishes.get(row.id) ?? null, role);
    });
    return { withdrawals, next };
  }

  async story(operator: DeskOperator, id: number): Promise<WithdrawalStory> {
    const story = await this.search.story(id);
    if (!story) throw new NotFound();
    const { withdrawal, player, problem, events, balanceNow } = story;
    const { role } = operator;
    const [zones, wish] = await Promise.all([
      this.zoneNames([withdrawal]),
      this.byTwo.wishOf(withdrawal),
    ]);
    const names = { account: player?.account ?? null, zone: zones.get(withdrawal.zoneId) ?? null };
    if (isWatched(role)) await this.audit.writeView(operator.name, subjectOfWithdrawal(id));
    const { settle_request, ...row } = toWithdrawalView(withdrawal, names, wish, role);
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
      needs_two: this.byTwo.needsTwo(withdrawal),
      may: actsNow(withdrawal, wish, operator),
    };
  }

  async settle(
    { name: by }: DeskOperator,
    id: number,
    { outcome, note }: SettleDto,
  ): Promise<Settled> {
    const settled = await this.byTwo.settle({ by, note }, id, outcome);
    return settled ? { settled } : { settled, waits_for_second: true };
  }

  async cancel(operator: DeskOperator, id: number, note: string) {
    await this.byTwo.cancel({ by: operator.name, note }, id);
    return this.story(operator, id);
  }

  async reopen(operator: DeskOperator, id: number, note: string) {
    await this.acts.reopen({ by: operator.name, note }, id);
    return this.story(operator, id);
  }

  private async zoneNames(rows: Withdrawal[]): Promise<Map<number, string>> {
    const zones = await this.dataSource.manager.find(Zone, {
      select: { id: true, name: true },
      where: { id: In([...new Set(rows.map(({ zoneId }) => zoneId))]) },
    });
    return new Map(zones.map(({ id, name }) => [id, name]));
  }
}
