import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PlayerIdentity, requireRecentProof } from '../../platform/auth/identity.service.js';
import { Settings } from '../../platform/config/settings.js';
import { dayBounds, endOfPause, localDay } from '../../platform/config/time.js';
import { currentTime } from '../../platform/database/database-clock.js';
import { sqlTime } from '../../platform/database/sql.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { GameAccountService, type RoleOwner } from './game/game-account.service.js';
import { type GameRole, GameDatabase } from './game/game-database.js';
import { type WithdrawalServer, WithdrawalServers } from './game/withdrawal-servers.js';
import {
  outcomeError,
  AmountOutOfRange,
  IdempotencyKeyReused,
  RoleNotFound,
  WithdrawalBanned,
  WithdrawalDisabled,
  WithdrawalNotFound,
  WithdrawalPaused,
} from './record/withdraw.errors.js';
import { type DailyLimit, findRemainingToday } from './record/withdrawal-limits.js';
import { type WithdrawalResult, WithdrawalStore } from './record/withdrawal-store.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import { OrderSendingService, InFlightWithdrawals } from './order-sending.service.js';

const ROLE_NAME_LENGTH = 64;
const LIST_LENGTH = 20;

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
  client: RequestContext;
}

@Injectable()
export class WithdrawService {
  private today = { timezone: '', starts: 0, ends: 0, from: '', to: '' };

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly servers: WithdrawalServers,
    private readonly gameAccounts: GameAccountService,
    private readonly gameDatabase: GameDatabase,
    private readonly store: WithdrawalStore,
    private readonly orders: OrderSendingService,
    private readonly inFlight: InFlightWithdrawals,
  ) {}

  async roles(owner: RoleOwner, serverId: number): Promise<GameRole[]> {
    const server = await this.servers.getWithdrawable(serverId);
    const gameAccount = await this.gameAccounts.find(server, owner);
    return gameAccount === undefined ? [] : this.gameDatabase.rolesOf(server, gameAccount);
  }

  /** Returns a withdrawal that succeeded or whose outcome is unknown, and throws for all other outcomes. */
  async request(
    owner: PlayerIdentity,
    request: WithdrawalRequest,
    key: string | null,
    client: RequestContext,
  ): Promise<WithdrawalResult> {
    const earlier = key === null ? undefined : await this.store.findByIdempotencyKey(owner.id, key);
    if (earlier) return repeatResult(earlier, request);

    this.requireAllowed(owner);
    const server = await this.servers.getWithdrawable(request.serverId);
    this.requireAmountInRange(request.amount);
    const gameAccount = await this.gameAccounts.find(server, owner);
    if (gameAccount === undefined) throw new RoleNotFound();
    const role = await this.gameDatabase.findRole(server, request.roleId, gameAccount);
    if (!role) throw new RoleNotFound();
    return this.inFlight.track(
      this.createAndExecute(owner, request, { key, server, gameAccount, role, client }),
    );
  }

  list(playerId: number, before?: number, limit = LIST_LENGTH): Promise<Withdrawal[]> {
    return this.store.listByPlayer(playerId, before, limit);
  }

  remainingToday(playerId: number): Promise<number> {
    return findRemainingToday(this.dataSource.manager, this.dailyLimit(), playerId);
  }

  /**
   * Returns when the pause after a security change ends, or null if withdrawals are not paused. The pause gives the
   * owner time to read the e-mail about the change.
   */
  pausedUntil({ withdrawPausedAt }: PlayerIdentity): Date | null {
    if (!withdrawPausedAt) return null;
    const { pause_hours } = this.settings.current.withdraw;
    const until = endOfPause(withdrawPausedAt, pause_hours);
    return until.getTime() > currentTime() ? until : null;
  }

  async find(playerId: number, id: number): Promise<Withdrawal> {
    const withdrawal = await this.store.findById(id);
    if (withdrawal?.playerId !== playerId) throw new WithdrawalNotFound();
    return withdrawal;
  }

  private async createAndExecute(
    identity: PlayerIdentity,
    request: WithdrawalRequest,
    { key, server, gameAccount, role, client }: WithdrawalContext,
  ): Promise<WithdrawalResult> {
    const { requestId, address } = client;
    const { serverId, roleId, amount } = request;
    // The daily limit and the row use the same time, because the lock may be acquired after midnight.
    const createdAt = new Date();
    const newWithdrawal = {
      serverId,
      roleId,
      amount,
      playerId: identity.id,
      roleServerId: server.id,
      roleName: Array.from(role.name).slice(0, ROLE_NAME_LENGTH).join(''),
      idempotencyKey: key,
      requestId,
      address,
      sessionId: identity.sid ?? null,
      createdAt,
    };
    const limits = this.dailyLimit(createdAt.getTime());
    const caller = { identity, requireAllowed: (now: PlayerIdentity) => this.requireAllowed(now) };
    const { withdrawal, repeated } = await this.store.create(newWithdrawal, limits, caller);
    if (repeated) return repeatResult(withdrawal, request);
    const owner = { ...identity, gameAccount };
    const executed = await this.orders.execute(withdrawal, server, owner, requestId);
    const error = outcomeError(executed);
    if (error) throw error;
    return { withdrawal: executed, repeated: false };
  }

  /** Checks only the settings and the caller. The order of the checks is part of the API. */
  private requireAllowed(owner: PlayerIdentity): void {
    const { enabled, proof_minutes } = this.settings.current.withdraw;
    if (!enabled) throw new WithdrawalDisabled();
    if (owner.withdrawalBan) throw new WithdrawalBanned(owner.withdrawalBan);
    const pausedUntil = this.pausedUntil(owner);
    if (pausedUntil) throw new WithdrawalPaused((pausedUntil.getTime() - currentTime()) / 1000);
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
    // The bounds are cached, because computing the start of a day takes half a millisecond.
    if (this.today.timezone !== timezone || now < starts || now >= ends)
      this.today = dayOf(timezone, now);
    return { most: withdraw.daily_max, from: this.today.from, to: this.today.to };
  }
}

function dayOf(timezone: string, now: number) {
  const { from, to } = dayBounds(timezone, localDay(timezone, new Date(now)));
  const span = { starts: from.getTime(), ends: to.getTime() };
  return { timezone, ...span, from: sqlTime(from), to: sqlTime(to) };
}

/** Returns the stored result of the first request, marked as a repeat. */
function repeatResult(withdrawal: Withdrawal, request: WithdrawalRequest): WithdrawalResult {
  const { serverId, roleId, amount } = withdrawal;
  if (serverId !== request.serverId || roleId !== request.roleId || amount !== request.amount)
    throw new IdempotencyKeyReused();
  const error = outcomeError(withdrawal);
  if (!error) return { withdrawal, repeated: true };
  if (error.error !== 'idempotency_conflict') error.headers['Idempotency-Hit'] = 'true';
  throw error;
}
