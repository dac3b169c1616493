import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { requireRecentProof } from '../../platform/auth/recent-proof.js';
import { Settings } from '../../platform/config/settings.js';
import { localDay, dayBounds } from '../../platform/config/calendar-day.js';
import { sqlTime } from '../../platform/database/sql-time.js';
import { WithdrawalDispatcher } from './withdrawal-dispatcher.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { outcomeError } from './outcome-error.js';
import {
  AmountOutOfRange,
  IdempotencyKeyReused,
  RoleNotFound,
  WithdrawalBanned,
  WithdrawalDisabled,
  WithdrawalNotFound,
  WithdrawalPaused,
} from './withdraw.errors.js';
import type { WithdrawalResult } from './record/create-withdrawal.js';
import { type DailyLimit, findRemainingToday } from './record/withdrawal-limits.js';
import { WithdrawalStore } from './record/withdrawal-store.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import { type GameRole, GameDatabase } from './game/game-database.js';
import { PinnedGameNames, type RoleOwner } from './game/pinned-game-names.js';
import { type WithdrawalServer, WithdrawalServers } from './game/withdrawal-servers.js';

const ROLE_NAME_LENGTH = 64;
const LIST_LENGTH = 20;
const HOUR_MS = 60 * 60 * 1000;

interface WithdrawalRequest {
  serverId: number;
  roleId: number;
  amount: number;
}

interface WithdrawalContext {
  key: string | null;
  server: WithdrawalServer;
  gameAccount: string;
  role: GameRole;
  requestId: string;
}

@Injectable()
export class WithdrawService {
  private today = { timezone: '', starts: 0, ends: 0, from: '', to: '' };

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly servers: WithdrawalServers,
    private readonly gameNames: PinnedGameNames,
    private readonly gameDatabase: GameDatabase,
    private readonly store: WithdrawalStore,
    private readonly dispatcher: WithdrawalDispatcher,
    private readonly inFlight: InFlightWithdrawals,
  ) {}

  async roles(owner: RoleOwner, serverId: number): Promise<GameRole[]> {
    const server = await this.servers.getWithdrawable(serverId);
    const gameAccount = await this.gameNames.find(server, owner);
    return gameAccount === undefined ? [] : this.gameDatabase.rolesOf(server, gameAccount);
  }

  /** Returns a withdrawal that succeeded or whose outcome is unknown; throws for every other outcome. */
  async request(
    owner: PlayerIdentity,
    request: WithdrawalRequest,
    key: string | null,
    requestId: string,
  ): Promise<WithdrawalResult> {
    const earlier = key === null ? undefined : await this.store.findByIdempotencyKey(owner.id, key);
    if (earlier) return repeatResult(earlier, request);

    this.requireAllowed(owner);
    const server = await this.servers.getWithdrawable(request.serverId);
    this.requireAmountInRange(request.amount);
    const gameAccount = await this.gameNames.find(server, owner);
    if (gameAccount === undefined) throw new RoleNotFound();
    const role = await this.gameDatabase.findRole(server, request.roleId, gameAccount);
    if (!role) throw new RoleNotFound();
    return this.inFlight.track(
      this.openAndDispatch(owner.id, request, { key, server, gameAccount, role, requestId }),
    );
  }

  list(playerId: number, before?: number, limit = LIST_LENGTH): Promise<Withdrawal[]> {
    return this.store.listByPlayer(playerId, before, limit);
  }

  /** The rest of the daily limit. */
  remainingToday(playerId: number): Promise<number> {
    return findRemainingToday(this.dataSource.manager, this.dailyLimit(), playerId);
  }

  async find(playerId: number, id: number): Promise<Withdrawal> {
    const withdrawal = await this.store.findById(id);
    if (withdrawal?.playerId !== playerId) throw new WithdrawalNotFound();
    return withdrawal;
  }

  private async openAndDispatch(
    playerId: number,
    request: WithdrawalRequest,
    { key, server, gameAccount, role, requestId }: WithdrawalContext,
  ): Promise<WithdrawalResult> {
    const { serverId, roleId, amount } = request;
    // One time for both the daily limit and the row: the lock may be obtained after midnight.
    const createdAt = new Date();
    const newWithdrawal = {
      serverId,
      roleId,
      amount,
      playerId,
      roleServerId: server.id,
      roleName: Array.from(role.name).slice(0, ROLE_NAME_LENGTH).join(''),
      idempotencyKey: key,
      requestId,
      createdAt,
    };
    const limits = this.dailyLimit(createdAt.getTime());
    const { withdrawal, repeated } = await this.store.create(newWithdrawal, limits);
    if (repeated) return repeatResult(withdrawal, request);
    const dispatched = await this.dispatcher.execute(withdrawal, server, gameAccount, requestId);
    const error = outcomeError(dispatched);
    if (error) throw error;
    return { withdrawal: dispatched, repeated: false };
  }

  /** Refusals that depend only on the settings and the caller, in the order of the contract. */
  private requireAllowed(owner: PlayerIdentity): void {
    const { enabled, pause_hours, proof_minutes } = this.settings.current.withdraw;
    if (!enabled) throw new WithdrawalDisabled();
    if (owner.withdrawalBan) throw new WithdrawalBanned(owner.withdrawalBan);
    requireNoPause(owner, pause_hours);
    if (proof_minutes > 0) requireRecentProof(owner, proof_minutes);
  }

  private requireAmountInRange(amount: number): void {
    const { min, max } = this.settings.current.withdraw;
    if (amount < min) throw new AmountOutOfRange(`must be at least ${min}`);
    if (amount > max) throw new AmountOutOfRange(`must be at most ${max}`);
  }

  private dailyLimit(now = Date.now()): DailyLimit {
    const { withdraw, timezone } = this.settings.current;
    const { starts, ends } = this.today;
    // Finding the start of a day takes half a millisecond.
    if (this.today.timezone !== timezone || now < starts || now >= ends)
      this.today = dayOf(timezone, now);
    return { most: withdraw.daily_max, from: this.today.from, to: this.today.to };
  }
}

/** A thief could withdraw the currency before the owner reads the mail about the takeover. */
function requireNoPause({ withdrawPausedAt }: PlayerIdentity, hours: number): void {
  if (!withdrawPausedAt) return;
  const left = withdrawPausedAt.getTime() + hours * HOUR_MS - Date.now();
  if (left > 0) throw new WithdrawalPaused(left / 1000);
}

function dayOf(timezone: string, now: number) {
  const { from, to } = dayBounds(timezone, localDay(timezone, new Date(now)));
  const span = { starts: from.getTime(), ends: to.getTime() };
  return { timezone, ...span, from: sqlTime(from), to: sqlTime(to) };
}

/** Answers like the first time, from the stored state, but marks it as a repeat. */
function repeatResult(withdrawal: Withdrawal, request: WithdrawalRequest): WithdrawalResult {
  const { serverId, roleId, amount } = withdrawal;
  if (serverId !== request.serverId || roleId !== request.roleId || amount !== request.amount)
    throw new IdempotencyKeyReused();
  const error = outcomeError(withdrawal);
  if (!error) return { withdrawal, repeated: true };
  if (error.error !== 'idempotency_conflict') error.headers['Idempotency-Hit'] = 'true';
  throw error;
}
