import { Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsWhere, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { isSameAccount } from '../../auth/account-name.js';
import { Player } from '../../auth/player.entity.js';
import { WithdrawalZones } from '../game/withdrawal-zones.js';
import { ZoneDatabase } from '../game/zone-database.js';
import { WithdrawalEvent } from '../record/withdrawal-event.entity.js';
import type { WithdrawalStatus } from '../record/withdrawal-states.js';
import { Withdrawal } from '../record/withdrawal.entity.js';

export interface WithdrawalFilter {
  account?: string;
  zone?: number;
  status?: WithdrawalStatus;
  since?: Date;
  /** Only those with a smaller id: the next page. */
  before?: number;
  limit: number;
}

/** With the account, where there still is one. */
export type FoundWithdrawal = Withdrawal & { account: string | null };

export interface Story {
  withdrawal: Withdrawal;
  player: Pick<Player, 'account' | 'gameAccount'> | null;
  /** Why its game server cannot be asked for it. */
  problem: string | undefined;
  events: WithdrawalEvent[];
  /** Null where the game cannot be read, or has no such role. */
  balanceNow: number | null;
}

/** Withdrawals for operators. */
@Injectable()
export class WithdrawalSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly zones: WithdrawalZones,
    private readonly zoneDatabase: ZoneDatabase,
  ) {}

  /** Newest first, paged by id. */
  async find(filter: WithdrawalFilter): Promise<FoundWithdrawal[]> {
    const { account, zone, status, since, before, limit } = filter;
    const where: FindOptionsWhere<Withdrawal> = {};
    if (account !== undefined) where.playerId = await this.playerId(account);
    if (zone !== undefined) where.zoneId = zone;
    if (status !== undefined) where.status = status;
    if (since) where.createdAt = MoreThanOrEqual(since);
    if (before !== undefined) where.id = LessThan(before);
    const { manager } = this.dataSource;
    const rows = await manager.find(Withdrawal, { where, order: { id: 'DESC' }, take: limit });
    const players = await manager.find(Player, {
      select: { id: true, account: true },
      where: { id: In([...new Set(rows.map(({ playerId }) => playerId))]) },
    });
    const names = new Map(players.map((player) => [player.id, player.account]));
    return rows.map((row) => ({ ...row, account: names.get(row.playerId) ?? null }));
  }

  /** By the number that the game server's log has. */
  async idOfOrder(orderNo: string): Promise<number | undefined> {
    const row = await this.dataSource.manager.findOneBy(Withdrawal, { orderNo });
    return row?.id;
  }

  async story(id: number): Promise<Story | undefined> {
    const { manager } = this.dataSource;
    const withdrawal = await manager.findOneBy(Withdrawal, { id });
    if (!withdrawal) return undefined;
    const { playerId, zoneId, roleId, orderNo } = withdrawal;
    const player = await manager.findOne(Player, {
      select: { id: true, account: true, gameAccount: true },
      where: { id: playerId },
    });
    const events = await manager.find(WithdrawalEvent, {
      where: { withdrawId: id },
      order: { id: 'ASC' },
    });
    const problem = orderNo === null ? undefined : await this.zones.askingProblem(withdrawal);
    const zone = await this.zones.ofOrder(zoneId);
    const balanceNow = zone
      ? await this.zoneDatabase.balanceOf(zone, roleId).catch(() => null)
      : null;
    return { withdrawal, player, problem, events, balanceNow };
  }

  /** Of nobody: 0, which no player has. */
  private async playerId(account: string): Promise<number> {
    const player = await this.dataSource.manager.findOneBy(Player, { account });
    return player && isSameAccount(player.account, account) ? player.id : 0;
  }
}
