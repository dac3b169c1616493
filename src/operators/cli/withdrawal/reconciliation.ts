import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, LessThan, MoreThanOrEqual, Repository } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { groupByServer, Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { dayBounds } from '../../../platform/config/time.js';
import type { OrderQueryResult } from '../../../features/withdraw/game/gm-client.js';
import { UnknownWithdrawalsService } from '../../../features/withdraw/unknown-withdrawals.service.js';
import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import type { GameServerUnavailable } from '../../../features/withdraw/record/withdraw.errors.js';
import { GameDatabase } from '../../../features/withdraw/game/game-database.js';
import {
  type WithdrawalServer,
  WithdrawalServers,
} from '../../../features/withdraw/game/withdrawal-servers.js';
import { listTable } from '../terminal.js';
import { withdrawalListReport } from './withdrawal-report.js';

const NOT_ASKED = 'The game servers cannot be asked (gm_query_op is not set)';
const BALANCES_AGREE =
  ', but each balance now is the balance before minus the amount withdrawn since: the balances agree.';
const BALANCES_DIFFER =
  'These balances differ. The player earned or spent since, or an order was settled wrongly: look up the orders in the log of the game server, and reopen a wrong one.';
const BALANCES_UNREAD = 'The balances of these roles are not known:';
const MAY_BE_DEDUCTED =
  'Settled as failed. Look them up in the log of the game server, and reopen what it deducted:';
const SETTLE_FIRST = 'Settle these first; gatehouse withdrawal show <id> says how:';
const VERDICTS = ['differs', 'not answered', 'not asked'] as const;

export type ServerTotal = ReturnType<Reconciliation['serverTotals']>[number];

export interface Comparison {
  withdrawal: Withdrawal;
  game: OrderQueryResult;
  /** `not asked` marks a settled order whose game server can no longer be asked, for example after a merge. */
  verdict: 'agrees' | 'differs' | 'open' | 'not answered' | 'not asked';
}

/** Compares a day's withdrawals with the game servers' records, and settles none of them. */
@Injectable()
export class Reconciliation {
  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly settings: Settings,
    private readonly unknown: UnknownWithdrawalsService,
  ) {}

  async findByDay(day: string, server?: number): Promise<Withdrawal[]> {
    const { from, to } = dayBounds(this.settings.current.timezone, day);
    return this.withdrawals.find({
      where: {
        createdAt: And(MoreThanOrEqual(from), LessThan(to)),
        ...(server !== undefined && { roleServerId: server }),
      },
      order: { roleServerId: 'ASC', id: 'ASC' },
    });
  }

  /** Asks the game servers about every sent order, in parallel across servers and one by one per server. */
  async compare(withdrawals: Withdrawal[]): Promise<Comparison[]> {
    const sent = groupByServer(withdrawals.filter(wasSent));
    const servers = await Promise.all(
      Array.from(sent.values(), async (orders) => {
        const comparisons: Comparison[] = [];
        let unreachable: OrderQueryResult | undefined;
        for (const withdrawal of orders) {
          const game = unreachable ?? (await this.unknown.query(withdrawal));
          // After a first timeout, the server's other orders are skipped, because each would cause another timeout.
          if (game.kind === 'no_answer') unreachable = game;
          comparisons.push({ withdrawal, game, verdict: toVerdict(withdrawal, game) });
        }
        return comparisons;
      }),
    );
    return servers.flat();
  }

  serverTotals(withdrawals: Withdrawal[]) {
    const sent = groupByServer(withdrawals.filter(wasSent));
    return Array.from(sent, ([server, orders]) => {
      const succeeded = orders.filter(({ status }) => status === 'succeeded');
      return {
        server,
        orders: orders.length,
        succeeded: succeeded.length,
        amount: succeeded.reduce((sum, { amount }) => sum + amount, 0),
        open: orders.filter(({ status }) => !isFinal(status)).length,
      };
    });
  }
}

function toVerdict({ status }: Withdrawal, { kind }: OrderQueryResult): Comparison['verdict'] {
  if (kind === 'no_answer') return 'not answered';
  if (!isFinal(status)) return 'open';
  if (kind === 'by_hand') return 'not asked';
  return (status === 'succeeded') === (kind === 'applied') ? 'agrees' : 'differs';
}

type RoleBalance = ReturnType<typeof toBalance>;

interface RoleBalances {
  roles: RoleBalance[];
  problems: string[];
}

/** Compares roles' balances before and after their orders, for game servers that cannot be asked about orders. */
@Injectable()
export class RoleBalanceComparison {
  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly servers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
  ) {}

  /** Compares the roles of these withdrawals, including all their orders since `from`. */
  async compare(withdrawals: Withdrawal[], from: Date): Promise<RoleBalances> {
    const roles: RoleBalance[] = [];
    const problems: string[] = [];
    for (const [id, ofServer] of groupByServer(withdrawals.filter(wasSent))) {
      const server = await this.servers.findForOrder(id);
      if (!server) {
        problems.push(`server ${id} is gone or was merged: its roles are not compared`);
        continue;
      }
      const orders = await this.ordersSince(id, from);
      let isReadable = true;
      for (const role of new Set(ofServer.map(({ roleId }) => roleId))) {
        const ofRole = orders.filter(({ roleId }) => roleId === role);
        const now = isReadable ? await this.balanceNow(server, role) : null;
        // After a first error, the server's other roles are skipped, because each could cause a timeout.
        if (typeof now === 'string') {
          isReadable = false;
          problems.push(`${now}: check it and GAME_DATABASE_URL, and try again`);
        } else if (now === null && isReadable)
          problems.push(`server ${id} has no role ${role}: it was deleted or moved`);
        roles.push(toBalance(ofRole, typeof now === 'string' ? null : now));
      }
    }
    return { roles, problems };
  }

  private async ordersSince(server: number, from: Date): Promise<Withdrawal[]> {
    const where = { roleServerId: server, createdAt: MoreThanOrEqual(from) };
    return (await this.withdrawals.find({ where, order: { id: 'ASC' } })).filter(wasSent);
  }

  /** Returns the balance, null if there is no such role, or a text that says why the balance cannot be read. */
  private balanceNow(server: WithdrawalServer, role: number): Promise<number | string | null> {
    return this.gameDatabase
      .balanceOf(server, role)
      .catch((error: GameServerUnavailable) => error.reason ?? error.message);
  }
}

const wasSent = ({ orderNo }: Withdrawal) => orderNo !== null;

/**
 * Calculates `difference`, the part of the change that no order explains. `before` is null if the balance was not read
 * before the first order. `now` is null if the game database cannot be read or lacks the role.
 */
function toBalance(orders: Withdrawal[], now: number | null) {
  const { roleServerId: server, roleId: role, roleName: name, balanceBefore: before } = orders[0]!;
  const succeeded = orders.filter(({ status }) => status === 'succeeded');
  const amount = succeeded.reduce((sum, order) => sum + order.amount, 0);
  const difference = before === null || now === null ? null : now - (before - amount);
  return {
    server,
    role,
    name,
    succeeded: succeeded.length,
    amount,
    before,
    now,
    difference,
    orders,
  };
}

/** Adds a column for each of the `VERDICTS` if the game servers were queried. */
export function serverTotalsReport(totals: ServerTotal[], comparisons?: Comparison[]): string {
  const verdicts = (comparisons ? VERDICTS : []).map((verdict) => [
    verdict,
    ({ server }: ServerTotal) =>
      comparisons!.filter(
        (one) => one.withdrawal.roleServerId === server && one.verdict === verdict,
      ).length,
  ]);
  const { orders: all, succeeded: done, amount: sum, open: left } = totalOf(totals);
  const table = listTable(totals, {
    server: ({ server }) => server,
    orders: ({ orders }) => orders,
    succeeded: ({ succeeded }) => succeeded,
    amount: ({ amount }) => amount,
    open: ({ open }) => open,
    ...Object.fromEntries(verdicts),
  });
  return `${table}\n\nTotal: ${all} orders; ${done} succeeded with ${sum}, and ${left} are open.`;
}

function totalOf(servers: ServerTotal[]): Omit<ServerTotal, 'server'> {
  const sum = { orders: 0, succeeded: 0, amount: 0, open: 0 };
  for (const server of servers)
    for (const name of Object.keys(sum) as Array<keyof typeof sum>) sum[name] += server[name];
  return sum;
}

export function differencesReport(comparisons: Comparison[]): string {
  return listTable(comparisons, {
    verdict: ({ verdict }) => verdict,
    id: ({ withdrawal }) => withdrawal.id,
    server: ({ withdrawal }) => withdrawal.roleServerId,
    role: ({ withdrawal }) => withdrawal.roleId,
    amount: ({ withdrawal }) => withdrawal.amount,
    order_no: ({ withdrawal }) => withdrawal.orderNo,
    here: ({ withdrawal }) => withdrawal.status,
    game: ({ game }) => game.kind,
    evidence: ({ game }) => game.evidence,
  });
}

/** Sets `ok` if every balance is explained and no order is open. */
export function balancesReport(rows: Withdrawal[], { roles, problems }: RoleBalances) {
  const open = rows.filter(({ orderNo, status }) => orderNo !== null && !isFinal(status));
  const different = roles.filter(({ difference }) => difference !== null && difference !== 0);
  const unread = roles.filter(({ difference }) => difference === null);
  const ok = different.length + unread.length + open.length === 0;
  const list = (title: string, orders: Withdrawal[]) =>
    orders.length > 0 ? [`${title}\n${withdrawalListReport(orders)}`] : [];
  const text = [
    `${NOT_ASKED}${ok && roles.length > 0 ? BALANCES_AGREE : '.'}`,
    ...(different.length > 0 ? [BALANCES_DIFFER, roleTable(different)] : []),
    ...list(
      'Their orders:',
      different.flatMap(({ orders }) => orders),
    ),
    ...(problems.length > 0 ? [problems.join('\n')] : []),
    ...(unread.length > 0 ? [`${BALANCES_UNREAD}\n${roleTable(unread)}`] : []),
    ...list(
      MAY_BE_DEDUCTED,
      unread.flatMap(({ orders }) => orders).filter(({ status }) => status === 'failed'),
    ),
    ...list(SETTLE_FIRST, open),
  ];
  return { text: text.join('\n\n'), data: { roles, problems, open }, ok };
}

function roleTable(roles: RoleBalance[]): string {
  return listTable(roles, {
    server: ({ server }) => server,
    role: ({ role }) => role,
    name: ({ name }) => name,
    succeeded: ({ succeeded }) => succeeded,
    amount: ({ amount }) => amount,
    'balance before': ({ before }) => before,
    'balance now': ({ now }) => now,
    difference: ({ difference }) => difference,
  });
}
