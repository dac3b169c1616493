import { Injectable } from '@nestjs/common';
import type { ErrorName } from '../../platform/http/errors/error-table.js';
import { ServiceUnavailable } from '../../platform/http/errors/http.errors.js';
import { log } from '../../platform/log/log.js';
import { type DeductionOutcome, GmClient } from './game/gm-client.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { WithdrawalStore } from './record/withdrawal-store.js';
import type { TransitionCause } from './record/withdrawal-events.js';
import type { SentOrder } from './record/withdrawal-rows.js';
import { isFinal } from './record/withdrawal-status.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import { type GameRole, GameDatabase } from './game/game-database.js';
import type { WithdrawalServer } from './game/withdrawal-servers.js';

// A frozen process may wake up long after others have settled the withdrawal.
const STALE_MS = 10_000;

/** Carries out a recorded withdrawal: reads the balance, sends the command, records the outcome. */
@Injectable()
export class WithdrawalDispatcher {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly gameDatabase: GameDatabase,
    private readonly gm: GmClient,
    private readonly recorder: OutcomeRecorder,
    private readonly inFlight: InFlightWithdrawals,
  ) {}

  async execute(
    withdrawal: Withdrawal,
    server: WithdrawalServer,
    gameAccount: string,
    requestId: string,
  ): Promise<Withdrawal> {
    const order = await this.prepare(withdrawal, server, gameAccount, requestId);
    if (!order) return this.reload(withdrawal);
    logOrder(withdrawal, order, requestId);
    const outcome = await this.sendCommand(withdrawal, order, gameAccount);
    return this.recorder.record(withdrawal, order, outcome, requestId);
  }

  /** The order, if this call moved it to `sending`: only then may the command be sent, and only from here. */
  private async prepare(
    withdrawal: Withdrawal,
    server: WithdrawalServer,
    gameAccount: string,
    requestId: string,
  ): Promise<SentOrder | undefined> {
    const { roleId, amount } = withdrawal;
    let role: GameRole | undefined;
    try {
      role = await this.gameDatabase.findRole(server, roleId, gameAccount);
    } catch (error) {
      const evidence = 'the balance could not be read';
      await this.settleUnsent(withdrawal, 'failed', 'game_server_unavailable', evidence);
      throw error;
    }
    if (!role)
      return this.settleUnsent(withdrawal, 'refused', 'role_not_found', 'the role is gone');
    if (role.balance < amount)
      return this.settleUnsent(
        withdrawal,
        'refused',
        'insufficient_balance',
        `balance ${role.balance}`,
      );
    const order = this.store.buildOrder(withdrawal, role.balance, server.gm);
    try {
      return (await this.store.markSending(withdrawal, order)) ? order : undefined;
    } catch (error) {
      this.recorder.recordGivenUp(withdrawal, order, requestId);
      throw error;
    }
  }

  private async sendCommand(
    { roleId, amount, roleServerId }: Withdrawal,
    { orderNo, sentAt, gmHost, gmPort, gmPath }: SentOrder,
    gameAccount: string,
  ): Promise<DeductionOutcome> {
    const deduction = {
      serverId: roleServerId,
      roleId,
      account: gameAccount,
      amount,
      orderNo,
    };
    const gm = { host: gmHost, port: gmPort, path: gmPath };
    return this.gm.deduct(gm, deduction, this.inFlight.stopSignal, () => staleReason(sentAt));
  }

  private async settleUnsent(
    withdrawal: Withdrawal,
    to: 'refused' | 'failed',
    reason: ErrorName,
    evidence: string,
  ): Promise<undefined> {
    const cause: TransitionCause = { cause: 'balance', evidence };
    await this.store.transition(withdrawal, 'created', to, cause, { reason });
  }

  /** As somebody else left it. If even its row is gone, nothing was sent, and nothing more is known. */
  private async reload(withdrawal: Withdrawal): Promise<Withdrawal> {
    if (isFinal(withdrawal.status)) return withdrawal;
    const stored = await this.store.findById(withdrawal.id);
    const { playerId, roleId, amount, createdAt } = withdrawal;
    const isSame =
      stored?.playerId === playerId &&
      stored.roleId === roleId &&
      stored.amount === amount &&
      stored.createdAt.getTime() === createdAt.getTime();
    if (!isSame) throw new ServiceUnavailable();
    return stored;
  }
}

/** A record outside the database, which may lose its last commits in a failover. */
function logOrder(withdrawal: Withdrawal, { orderNo }: SentOrder, requestId: string): void {
  const { id, playerId, roleServerId, roleId, amount } = withdrawal;
  log.info(
    {
      context: WithdrawalDispatcher.name,
      request_id: requestId,
      server: roleServerId,
      order: { orderNo, playerId, roleId, amount },
    },
    `withdrawal ${id} goes out`,
  );
}

function staleReason(sentAt: Date): string | undefined {
  const age = Date.now() - sentAt.getTime();
  return age > STALE_MS || age < 0 ? `stood still for ${age} ms before sending` : undefined;
}
