import { Injectable } from '@nestjs/common';
import { nameInGame } from '../auth/account-name.js';
import type { ErrorName } from '../http/errors/error-table.js';
import { ServiceUnavailable } from '../http/errors/http.errors.js';
import { log } from '../log/log.js';
import { type DeductionOutcome, GmClient } from './game/gm-client.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { WithdrawalBook } from './record/withdrawal-book.js';
import type { Because, Order } from './record/withdrawal-statements.js';
import { isFinal } from './record/withdrawal-states.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import type { GameOwner } from './game/game-account.js';
import { type Role, ZoneDatabase } from './game/zone-database.js';
import type { WithdrawalZone } from './game/withdrawal-zones.js';

// A process that was frozen may wake up when others have long settled the matter.
const STALE_MS = 10_000;

/** Carries out a withdrawal that was written down: the balance, then the command, then its outcome. */
@Injectable()
export class Dispatch {
  constructor(
    private readonly book: WithdrawalBook,
    private readonly zoneDatabase: ZoneDatabase,
    private readonly gm: GmClient,
    private readonly recorder: OutcomeRecorder,
    private readonly inFlight: InFlightWithdrawals,
  ) {}

  async carryOut(
    withdrawal: Withdrawal,
    zone: WithdrawalZone,
    owner: GameOwner,
    requestId: string,
  ): Promise<Withdrawal> {
    const order = await this.prepare(withdrawal, zone, owner);
    if (!order) return this.asStored(withdrawal);
    tellOf(withdrawal, order, requestId);
    const outcome = await this.command(withdrawal, order, owner);
    return this.recorder.record(withdrawal, order, outcome, requestId);
  }

  /** The order, once it is in `sending` by our hand: only then may the command go out, and only from here. */
  private async prepare(
    withdrawal: Withdrawal,
    zone: WithdrawalZone,
    owner: GameOwner,
  ): Promise<Order | undefined> {
    const { roleId, amount } = withdrawal;
    let role: Role | undefined;
    try {
      role = await this.zoneDatabase.findRole(zone, roleId, owner);
    } catch (error) {
      const evidence = 'the balance could not be read';
      await this.drop(withdrawal, 'failed', 'game_server_unavailable', evidence);
      throw error;
    }
    if (!role) return this.drop(withdrawal, 'refused', 'role_not_found', 'the role is gone');
    if (role.balance < amount)
      return this.drop(withdrawal, 'refused', 'insufficient_balance', `balance ${role.balance}`);
    const order = this.book.newOrder(withdrawal, role.balance, zone.gm);
    return (await this.enterSending(withdrawal, order)) ? order : undefined;
  }

  private async enterSending(withdrawal: Withdrawal, order: Order): Promise<boolean> {
    try {
      return await this.book.send(withdrawal, order);
    } catch (error) {
      // It is not known whether that was committed, but nothing was sent. If this fails too, the sweeper takes over.
      const because = { cause: 'request', evidence: 'gave up before sending' } as const;
      const reason = { reason: 'service_unavailable' } as const;
      const sent = Object.assign(new Withdrawal(), withdrawal, order);
      const stopped = async () =>
        (await this.book.move(sent, 'sending', 'failed', because, reason)) ||
        (await this.book.move(withdrawal, 'created', 'failed', because, reason));
      await stopped().catch(() => undefined);
      throw error;
    }
  }

  private async command(
    { roleId, amount, zoneId }: Withdrawal,
    { orderNo, sentAt, gmHost, gmPort, gmPath }: Order,
    owner: GameOwner,
  ): Promise<DeductionOutcome> {
    const deduction = { serverId: zoneId, roleId, account: nameInGame(owner), amount, orderNo };
    const gm = { host: gmHost, port: gmPort, path: gmPath };
    return this.gm.deduct(gm, deduction, this.inFlight.stopped, () => tooLate(sentAt));
  }

  private async drop(
    withdrawal: Withdrawal,
    to: 'refused' | 'failed',
    reason: ErrorName,
    evidence: string,
  ): Promise<undefined> {
    const because: Because = { cause: 'balance', evidence };
    await this.book.move(withdrawal, 'created', to, because, { reason });
  }

  /** As somebody else has left it. Where even its row is gone, nothing was sent, and nothing more is known. */
  private async asStored(withdrawal: Withdrawal): Promise<Withdrawal> {
    if (isFinal(withdrawal.status)) return withdrawal;
    const stored = await this.book.findById(withdrawal.id);
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

/** A record that is outside of the database, which may lose its last commits in a failover. */
function tellOf(withdrawal: Withdrawal, { orderNo }: Order, requestId: string): void {
  const { id, playerId, zoneId, roleId, amount } = withdrawal;
  log.info(
    {
      context: Dispatch.name,
      request_id: requestId,
      zone: zoneId,
      order: { orderNo, playerId, roleId, amount },
    },
    `withdrawal ${id} goes out`,
  );
}

function tooLate(sentAt: Date): string | undefined {
  const age = Date.now() - sentAt.getTime();
  return age > STALE_MS || age < 0 ? `stood still for ${age} ms before sending` : undefined;
}
