import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, LessThan, MoreThanOrEqual, Repository } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { groupByServer } from '../../../features/withdraw/record/group-by-server.js';
import { dayBounds } from '../../../platform/config/calendar-day.js';
import type { OrderQueryResult } from '../../../features/withdraw/game/gm-client.js';
import { UnknownWithdrawalResolver } from '../../../features/withdraw/background/unknown-withdrawal-resolver.js';
import { isFinal } from '../../../features/withdraw/record/withdrawal-status.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';

export interface ServerTotal {
  server: number;
  orders: number;
  succeeded: number;
  amount: number;
  open: number;
}

export interface Comparison {
  withdrawal: Withdrawal;
  game: OrderQueryResult;
  /** not asked: settled, but the game server that received it can no longer be asked, for example after a merge. */
  verdict: 'agrees' | 'differs' | 'open' | 'not answered' | 'not asked';
}

/** Compares a day's withdrawals with the game's data. Settles nothing. */
@Injectable()
export class Reconciliation {
  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly settings: Settings,
    private readonly unknownResolver: UnknownWithdrawalResolver,
  ) {}

  /** For all servers, or for one. */
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

  /** Every order that was sent, with the game server's answer. Servers in parallel, orders one by one. */
  async compare(withdrawals: Withdrawal[]): Promise<Comparison[]> {
    const sent = groupByServer(withdrawals.filter(({ orderNo }) => orderNo !== null));
    const servers = await Promise.all(
      Array.from(sent.values(), async (orders) => {
        const comparisons: Comparison[] = [];
        let unreachable: OrderQueryResult | undefined;
        for (const withdrawal of orders) {
          const game = unreachable ?? (await this.unknownResolver.query(withdrawal));
          // For a dead server, every further order would take a time-out.
          if (game.kind === 'no_answer') unreachable = game;
          comparisons.push({ withdrawal, game, verdict: toVerdict(withdrawal, game) });
        }
        return comparisons;
      }),
    );
    return servers.flat();
  }

  /** What was sent to each server, and what it deducted as far as known. */
  serverTotals(withdrawals: Withdrawal[]): ServerTotal[] {
    const sent = groupByServer(withdrawals.filter(({ orderNo }) => orderNo !== null));
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
