import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { namesOfOthers } from '../auth/game-name.js';
import { Settings } from '../config/settings.js';
import { dayIn, spanOfDay } from '../config/calendar-day.js';
import { sqlTime } from '../database/sql-time.js';
import { Dispatch } from './dispatch.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { outcomeError } from './outcome-error.js';
import {
  AmountOutOfRange,
  IdempotencyKeyReused,
  RoleNotFound,
  WithdrawalDisabled,
  WithdrawalNotFound,
} from './withdraw.errors.js';
import { DailyTotal } from './record/daily-total.js';
import type { DailyLimit } from './record/opening-limits.js';
import { WithdrawalBook } from './record/withdrawal-book.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import type { GameOwner } from './game/game-account.js';
import { type Role, ZoneDatabase } from './game/zone-database.js';
import { type WithdrawalZone, WithdrawalZones } from './game/withdrawal-zones.js';

const ROLE_NAME_LENGTH = 64;
const LIST_LENGTH = 20;

export interface Wish {
  serverId: number;
  roleId: number;
  amount: number;
}

interface Owner extends GameOwner {
  id: number;
}

interface Circumstances {
  key: string | null;
  zone: WithdrawalZone;
  role: Role;
  requestId: string;
}

export interface Outcome {
  withdrawal: Withdrawal;
  /** The same request came before; nothing was done this time. */
  repeated: boolean;
}

@Injectable()
export class WithdrawService {
  private today = { timezone: '', starts: 0, ends: 0, from: '', to: '' };

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly zones: WithdrawalZones,
    private readonly zoneDatabase: ZoneDatabase,
    private readonly book: WithdrawalBook,
    private readonly dailyTotal: DailyTotal,
    private readonly dispatch: Dispatch,
    private readonly inFlight: InFlightWithdrawals,
  ) {}

  async roles(owner: Owner, serverId: number): Promise<Role[]> {
    const zone = await this.zones.getWithdrawable(serverId);
    const [roles, others] = await Promise.all([
      this.zoneDatabase.rolesOf(zone, owner),
      namesOfOthers(this.dataSource, owner),
    ]);
    return roles.filter(({ account }) => !others.includes(account));
  }

  /** Gives a withdrawal that succeeded or whose outcome is unknown; throws for every other outcome. */
  async request(owner: Owner, wish: Wish, key: string | null, requestId: string): Promise<Outcome> {
    const earlier = key === null ? undefined : await this.book.findByKey(owner.id, key);
    if (earlier) return repeat(earlier, wish);

    if (!this.settings.current.withdraw.enabled) throw new WithdrawalDisabled();
    const zone = await this.zones.getWithdrawable(wish.serverId);
    this.refuseOutOfRange(wish.amount);
    const role = await this.zoneDatabase.findRole(zone, wish.roleId, owner);
    if (!role) throw new RoleNotFound();
    return this.inFlight.track(this.carryOut(owner, wish, { key, zone, role, requestId }));
  }

  list(playerId: number, before?: number, limit = LIST_LENGTH): Promise<Withdrawal[]> {
    return this.book.listOf(playerId, before, limit);
  }

  /** What the daily limit leaves. */
  leftToday(playerId: number): Promise<number> {
    return this.dailyTotal.leftOf(this.dailyLimit(), playerId);
  }

  async find(playerId: number, id: number): Promise<Withdrawal> {
    const withdrawal = await this.book.findById(id);
    if (withdrawal?.playerId !== playerId) throw new WithdrawalNotFound();
    return withdrawal;
  }

  private async carryOut(
    owner: Owner,
    wish: Wish,
    { key, zone, role, requestId }: Circumstances,
  ): Promise<Outcome> {
    const { serverId, roleId, amount } = wish;
    // One time for the limit of a day and for the day that the row counts on: the lock may be had after midnight.
    const createdAt = new Date();
    const opening = {
      serverId,
      roleId,
      amount,
      playerId: owner.id,
      zoneId: zone.id,
      roleName: Array.from(role.name).slice(0, ROLE_NAME_LENGTH).join(''),
      idempotencyKey: key,
      requestId,
      createdAt,
    };
    const limits = { ...this.dailyLimit(createdAt.getTime()), nameInGame: role.account };
    const { withdrawal, repeated } = await this.book.create(opening, limits);
    if (repeated) return repeat(withdrawal, wish);
    const carriedOut = await this.dispatch.carryOut(withdrawal, zone, owner, requestId);
    const error = outcomeError(carriedOut);
    if (error) throw error;
    return { withdrawal: carriedOut, repeated: false };
  }

  private refuseOutOfRange(amount: number): void {
    const { min, max } = this.settings.current.withdraw;
    if (amount < min) throw new AmountOutOfRange(`must be at least ${min}`);
    if (amount > max) throw new AmountOutOfRange(`must be at most ${max}`);
  }

  private dailyLimit(now = Date.now()): DailyLimit {
    const { withdraw, timezone } = this.settings.current;
    const { starts, ends } = this.today;
    // Finding where a day begins takes half a millisecond.
    if (this.today.timezone !== timezone || now < starts || now >= ends)
      this.today = dayOf(timezone, now);
    return { most: withdraw.daily_max, from: this.today.from, to: this.today.to };
  }
}

function dayOf(timezone: string, now: number) {
  const { from, to } = spanOfDay(timezone, dayIn(timezone, new Date(now)));
  const span = { starts: from.getTime(), ends: to.getTime() };
  return { timezone, ...span, from: sqlTime(from), to: sqlTime(to) };
}

/** Answers as the stored state does, and as the first time, but says that it is a repeat. */
function repeat(withdrawal: Withdrawal, wish: Wish): Outcome {
  const { serverId, roleId, amount } = withdrawal;
  if (serverId !== wish.serverId || roleId !== wish.roleId || amount !== wish.amount)
    throw new IdempotencyKeyReused();
  const error = outcomeError(withdrawal);
  if (!error) return { withdrawal, repeated: true };
  if (error.error !== 'idempotency_conflict') error.headers['Idempotency-Hit'] = 'true';
  throw error;
}
