import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, LessThan, MoreThanOrEqual, Repository } from 'typeorm';
import { Settings } from '../../config/settings.js';
import { byZone } from '../record/by-zone.js';
import { spanOfDay } from '../../config/calendar-day.js';
import type { Inquiry } from '../game/gm-client.js';
import { UnknownInquiry } from '../upkeep/unknown-inquiry.js';
import { isFinal } from '../record/withdrawal-states.js';
import { Withdrawal } from '../record/withdrawal.entity.js';
import { ZoneDatabase } from '../game/zone-database.js';
import { WithdrawalZones } from '../game/withdrawal-zones.js';

export interface RoleTotal {
  zone: number;
  role: number;
  name: string;
  succeeded: number;
  amount: number;
  /** Before the first of the day; null where the game had not been read. */
  balanceBefore: number | null;
  /** Now; null where the game cannot be read or has no such role. */
  balanceNow: number | null;
}

export interface Comparison {
  withdrawal: Withdrawal;
  game: Inquiry;
  verdict: 'agrees' | 'differs' | 'open' | 'not answered';
}

/** Holds a day's withdrawals against the game's numbers. Settles nothing. */
@Injectable()
export class Reconciliation {
  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly settings: Settings,
    private readonly inquiry: UnknownInquiry,
    private readonly zones: WithdrawalZones,
    private readonly zoneDatabase: ZoneDatabase,
  ) {}

  async dayOf(day: string): Promise<Withdrawal[]> {
    const { from, to } = spanOfDay(this.settings.current.timezone, day);
    return this.withdrawals.find({
      where: { createdAt: And(MoreThanOrEqual(from), LessThan(to)) },
      order: { zoneId: 'ASC', id: 'ASC' },
    });
  }

  /** Every order that was sent, with what the game server says of it. Zones side by side, orders in turn. */
  async compare(withdrawals: Withdrawal[]): Promise<Comparison[]> {
    const sent = byZone(withdrawals.filter(({ orderNo }) => orderNo !== null));
    const zones = await Promise.all(
      Array.from(sent.values(), async (orders) => {
        const comparisons: Comparison[] = [];
        let silent: Inquiry | undefined;
        for (const withdrawal of orders) {
          const game = silent ?? (await this.inquiry.ask(withdrawal));
          // The rest of a dead zone would take a time-out each.
          if (game.kind === 'no_answer') silent = game;
          comparisons.push({ withdrawal, game, verdict: verdictOn(withdrawal, game) });
        }
        return comparisons;
      }),
    );
    return zones.flat();
  }

  /** For game servers that cannot be asked: what a person can hold against the game's own records. */
  async totals(withdrawals: Withdrawal[]): Promise<RoleTotal[]> {
    const totals = new Map<string, RoleTotal>();
    for (const { zoneId, roleId, roleName, status, amount, balanceBefore } of withdrawals) {
      if (status !== 'succeeded') continue;
      const key = `${zoneId} ${roleId}`;
      const total = totals.get(key) ?? {
        zone: zoneId,
        role: roleId,
        name: roleName,
        succeeded: 0,
        amount: 0,
        balanceBefore,
        balanceNow: await this.balanceNow(zoneId, roleId),
      };
      total.succeeded += 1;
      total.amount += amount;
      totals.set(key, total);
    }
    return [...totals.values()];
  }

  private async balanceNow(zoneId: number, roleId: number): Promise<number | null> {
    const zone = await this.zones.ofOrder(zoneId);
    if (!zone) return null;
    return this.zoneDatabase.balanceOf(zone, roleId).catch(() => null);
  }
}

function verdictOn({ status }: Withdrawal, { kind }: Inquiry): Comparison['verdict'] {
  if (kind === 'no_answer' || kind === 'by_hand') return 'not answered';
  if (!isFinal(status)) return 'open';
  return (status === 'succeeded') === (kind === 'applied') ? 'agrees' : 'differs';
}
