import { Injectable } from '@nestjs/common';
import { And, DataSource, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { findIdsByName } from '../../../platform/auth/account-name.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { WithdrawalServers } from '../../../features/withdraw/game/withdrawal-servers.js';
import { GameDatabase } from '../../../features/withdraw/game/game-database.js';
import { WithdrawalEvent } from '../../../features/withdraw/record/withdrawal-event.entity.js';
import type { WithdrawalStatus } from '../../../features/withdraw/record/withdrawal-status.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { newestRows } from '../newest-rows.js';

interface WithdrawalFilter {
  account?: string;
  playerId?: number;
  server?: number;
  status?: WithdrawalStatus;
  since?: Date;
  /** The last one of the previous page. */
  before?: number;
  limit: number;
}

/** With the account, if it still exists. */
export type WithdrawalWithAccount = Withdrawal & { account: string | null };

export interface WithdrawalDetails {
  withdrawal: Withdrawal;
  player: Pick<Player, 'account' | 'gameAccount'> | null;
  /** Why its game server cannot be asked about it. */
  problem: string | undefined;
  events: WithdrawalEvent[];
  /** Null if the game cannot be read or has no such role. */
  balanceNow: number | null;
}

/** Withdrawals for operators. */
@Injectable()
export class WithdrawalSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly servers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
  ) {}

  async find(filter: WithdrawalFilter): Promise<WithdrawalWithAccount[]> {
    const { account, server, status } = filter;
    const query = this.dataSource.createQueryBuilder(Withdrawal, 'w');
    const playerIds =
      account === undefined
        ? filter.playerId
        : await findIdsByName(this.dataSource.manager, account);
    if (playerIds !== undefined) query.andWhere({ playerId: In([playerIds].flat()) });
    // Of the two keys of a server, MySQL picks the one in the wrong order and sorts.
    else if (server !== undefined)
      query.useIndex(status === undefined ? 'withdraw_server' : 'withdraw_server_status');
    if (server !== undefined) query.andWhere('w.role_server_id = :server', { server });
    if (status !== undefined) query.andWhere('w.status = :status', { status });
    return this.withAccounts(await newestRows(query, filter));
  }

  count(from: Date, to: Date): Promise<number> {
    const createdAt = And(MoreThanOrEqual(from), LessThan(to));
    return this.dataSource.manager.countBy(Withdrawal, { createdAt });
  }

  /** By the order number in the game server's log. */
  async findIdByOrderNo(orderNo: string): Promise<number | undefined> {
    const row = await this.dataSource.manager.findOneBy(Withdrawal, { orderNo });
    return row?.id;
  }

  async findDetails(id: number): Promise<WithdrawalDetails | undefined> {
    const { manager } = this.dataSource;
    const withdrawal = await manager.findOneBy(Withdrawal, { id });
    if (!withdrawal) return undefined;
    const { playerId, roleServerId, roleId, orderNo } = withdrawal;
    const player = await manager.findOne(Player, {
      select: { id: true, account: true, gameAccount: true },
      where: { id: playerId },
    });
    const events = await manager.find(WithdrawalEvent, {
      where: { withdrawId: id },
      order: { id: 'ASC' },
    });
    const problem = orderNo === null ? undefined : await this.servers.findQueryProblem(withdrawal);
    const server = await this.servers.findForOrder(roleServerId);
    const balanceNow = server
      ? await this.gameDatabase.balanceOf(server, roleId).catch(() => null)
      : null;
    return { withdrawal, player, problem, events, balanceNow };
  }

  private async withAccounts(rows: Withdrawal[]): Promise<WithdrawalWithAccount[]> {
    const players = await this.dataSource.manager.find(Player, {
      select: { id: true, account: true },
      where: { id: In([...new Set(rows.map(({ playerId }) => playerId))]) },
    });
    const names = new Map(players.map((player) => [player.id, player.account]));
    return rows.map((row) => Object.assign(row, { account: names.get(row.playerId) ?? null }));
  }
}
