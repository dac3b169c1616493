import { Injectable } from '@nestjs/common';
import { And, DataSource, In, LessThan, MoreThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import { findIdsByName } from '../../../platform/auth/account-name.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { GameDatabase } from '../../../features/withdraw/game/game-database.js';
import { WithdrawalServers } from '../../../features/withdraw/game/withdrawal-servers.js';
import { GameServer } from '../../../features/servers/game-server.entity.js';
import {
  OPEN_STATUS_LIST,
  type WithdrawalStatus,
} from '../../../features/withdraw/record/withdrawal-status.js';
import {
  Withdrawal,
  WithdrawalEvent,
} from '../../../features/withdraw/record/withdrawal.entity.js';
import { limitToSpan, newestRows } from '../page-rows.js';

export interface WithdrawalFilter {
  account?: string;
  playerId?: number;
  server?: number;
  /** `waiting` finds unknown withdrawals whose settlement waits for a second operator. */
  status?: WithdrawalStatus | 'waiting';
  since?: Date;
  until?: Date;
}

interface Page {
  /** The page continues after the withdrawal with this id. */
  before?: number;
  limit: number;
}

const SETTLEMENT_WAITS = `EXISTS (SELECT 1 FROM approval_request r
  WHERE r.kind = 'withdrawal' AND r.target_id = w.id AND r.order_no = w.order_no)`;

/** Sums up withdrawals of a server. Only the amount of successful withdrawals has really left the game. */
export interface WithdrawalTotals {
  count: number;
  amount: number;
  succeeded: number;
  succeededAmount: number;
  open: number;
}

export const TOTALS_CSV_COLUMNS = [
  'day',
  'server_id',
  'server',
  'withdrawals',
  'requested_amount',
  'succeeded',
  'succeeded_amount',
  'open',
] as const;

/** The account name is null if the account no longer exists. */
export type WithdrawalWithAccount = Withdrawal & { account: string | null };

/** Compares the current balance of an unknown withdrawal's role with its balance before the order. */
export interface WithdrawalEvidence {
  withdrawal: WithdrawalWithAccount;
  event: WithdrawalEvent | null;
  /** This is null if the game database cannot be read or lacks the role. */
  balanceNow: number | null;
  difference: number | null;
  /** This is null unless the balance has stayed the same or has fallen by exactly the amount. */
  balanceSays: 'deducted' | 'not_deducted' | null;
}

export type WithdrawalDetails = NonNullable<Awaited<ReturnType<WithdrawalSearch['findDetails']>>>;

@Injectable()
export class WithdrawalSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly servers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
  ) {}

  async find(filter: WithdrawalFilter & Page): Promise<WithdrawalWithAccount[]> {
    return this.withAccounts(await newestRows(await this.matching(filter), filter));
  }

  /** Sums up all matching withdrawals by server. The sums do not depend on the page that is shown. */
  async totals(filter: WithdrawalFilter): Promise<Map<number, WithdrawalTotals>> {
    const query = await this.matching(filter);
    limitToSpan(query, filter);
    const isSucceeded = `w.status = 'succeeded'`;
    const rows = await query
      .select('w.role_server_id', 'server')
      .addSelect('COUNT(*)', 'count')
      .addSelect('SUM(w.amount)', 'amount')
      .addSelect(`SUM(CASE WHEN ${isSucceeded} THEN 1 ELSE 0 END)`, 'succeeded')
      .addSelect(`SUM(CASE WHEN ${isSucceeded} THEN w.amount ELSE 0 END)`, 'succeeded_amount')
      .addSelect(`SUM(CASE WHEN w.status IN (${OPEN_STATUS_LIST}) THEN 1 ELSE 0 END)`, 'open')
      .groupBy('w.role_server_id')
      .orderBy('w.role_server_id')
      .getRawMany<Record<string, number | string>>();
    return new Map(
      rows.map((row) => [
        Number(row.server),
        {
          count: Number(row.count),
          amount: Number(row.amount),
          succeeded: Number(row.succeeded),
          succeededAmount: Number(row.succeeded_amount),
          open: Number(row.open),
        },
      ]),
    );
  }

  /** Returns the totals of each server and, in the last row, of all servers, as the desk and the command export them. */
  async totalsForCsv(filter: WithdrawalFilter, day: string | null) {
    const totals = await this.totals(filter);
    const names = await this.serverNames([...totals.keys()]);
    const sum = ['total', sumTotals(totals.values())] as const;
    return [...totals, sum].map(([id, { count, amount, succeeded, succeededAmount, open }]) => ({
      day,
      server_id: id,
      server: typeof id === 'number' ? (names.get(id) ?? null) : null,
      withdrawals: count,
      requested_amount: amount,
      succeeded,
      succeeded_amount: succeededAmount,
      open,
    }));
  }

  async serverNames(ids: number[]): Promise<Map<number, string>> {
    const servers = await this.dataSource.manager.find(GameServer, {
      select: { id: true, name: true },
      where: { id: In([...new Set(ids)]) },
    });
    return new Map(servers.map(({ id, name }) => [id, name]));
  }

  private async matching(filter: WithdrawalFilter): Promise<SelectQueryBuilder<Withdrawal>> {
    const { account, server } = filter;
    const isWaiting = filter.status === 'waiting';
    const status = filter.status === 'waiting' ? 'unknown' : filter.status;
    const query = this.dataSource.createQueryBuilder(Withdrawal, 'w');
    const playerIds =
      account === undefined
        ? filter.playerId
        : await findIdsByName(this.dataSource.manager, account);
    if (playerIds !== undefined) query.andWhere({ playerId: In([playerIds].flat()) });
    // MySQL would otherwise pick the server's other index, which has the wrong order, and sort.
    else if (server !== undefined)
      query.useIndex(status === undefined ? 'withdraw_server' : 'withdraw_server_status');
    if (server !== undefined) query.andWhere('w.role_server_id = :server', { server });
    if (status !== undefined) query.andWhere('w.status = :status', { status });
    if (isWaiting) query.andWhere(SETTLEMENT_WAITS);
    return query;
  }

  count(from: Date, to: Date): Promise<number> {
    const createdAt = And(MoreThanOrEqual(from), LessThan(to));
    return this.dataSource.manager.countBy(Withdrawal, { createdAt });
  }

  /** Finds a withdrawal by the order number in the game server's log. */
  async findIdByOrderNo(orderNo: string): Promise<number | undefined> {
    const row = await this.dataSource.manager.findOneBy(Withdrawal, { orderNo });
    return row?.id;
  }

  /**
   * Returns a withdrawal and its context. `problem` says why the game server cannot be queried about it.
   * `balanceNow` is null if the game database cannot be read or lacks the role.
   */
  async findDetails(id: number) {
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

  /** Returns the withdrawals with these ids, each with its last event and the balance of its role, ordered by id. */
  async findEvidence(ids: number[]): Promise<WithdrawalEvidence[]> {
    const { manager } = this.dataSource;
    const order = { id: 'ASC' } as const;
    const rows = await this.withAccounts(
      await manager.find(Withdrawal, { where: { id: In(ids) }, order }),
    );
    const events = await manager.find(WithdrawalEvent, { where: { withdrawId: In(ids) }, order });
    const last = new Map(events.map((event) => [event.withdrawId, event]));
    const found: WithdrawalEvidence[] = [];
    const unreadable = new Set<number>();
    for (const withdrawal of rows) {
      const { roleServerId, roleId, balanceBefore: before, amount } = withdrawal;
      const server = unreadable.has(roleServerId)
        ? undefined
        : await this.servers.findForOrder(roleServerId);
      // After a first error, the server's other roles are skipped, because each could cause a timeout.
      const balanceNow = server
        ? await this.gameDatabase.balanceOf(server, roleId).catch(() => {
            unreadable.add(roleServerId);
            return null;
          })
        : null;
      const difference = balanceNow === null || before === null ? null : balanceNow - before;
      const balanceSays =
        difference === 0 ? 'not_deducted' : difference === -amount ? 'deducted' : null;
      const event = last.get(withdrawal.id) ?? null;
      found.push({ withdrawal, event, balanceNow, difference, balanceSays });
    }
    return found;
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

export function sumTotals(servers: Iterable<WithdrawalTotals>): WithdrawalTotals {
  const sum = { count: 0, amount: 0, succeeded: 0, succeededAmount: 0, open: 0 };
  for (const server of servers)
    for (const name of Object.keys(sum) as Array<keyof WithdrawalTotals>) sum[name] += server[name];
  return sum;
}
