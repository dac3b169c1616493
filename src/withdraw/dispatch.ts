import { Injectable } from '@nestjs/common';
import type { ErrorName } from '../http/errors/error-table.js';
import { type DeductionOutcome, GmClient } from './game/gm-client.js';
import { InFlightWithdrawals } from './in-flight-withdrawals.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { type Because, WithdrawalBook } from './record/withdrawal-book.js';
import type { Withdrawal } from './record/withdrawal.entity.js';
import { type Role, ZoneDatabase } from './game/zone-database.js';
import type { WithdrawalZone } from './game/withdrawal-zones.js';

// A process that was frozen here may wake up when others have long settled the matter.
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
    account: string,
    requestId: string,
  ): Promise<Withdrawal> {
    if (!(await this.prepare(withdrawal, zone, account))) return this.asStored(withdrawal);
    const outcome = await this.command(withdrawal, zone, account);
    return this.recorder.record(withdrawal, outcome, requestId);
  }

  /** True once it is in `sending` by our hand: from there on the command may go out, and only from here. */
  private async prepare(
    withdrawal: Withdrawal,
    zone: WithdrawalZone,
    account: string,
  ): Promise<boolean> {
    const { roleId, amount } = withdrawal;
    let role: Role | undefined;
    try {
      role = await this.zoneDatabase.findRole(zone, roleId, account);
    } catch (error) {
      const evidence = 'the balance could not be read';
      await this.drop(withdrawal, 'failed', 'game_server_unavailable', evidence);
      throw error;
    }
    if (!role) return this.drop(withdrawal, 'refused', 'role_not_found', 'the role is gone');
    if (role.balance < amount)
      return this.drop(withdrawal, 'refused', 'insufficient_balance', `balance ${role.balance}`);
    return this.enterSending(withdrawal, role.balance);
  }

  private async enterSending(withdrawal: Withdrawal, balance: number): Promise<boolean> {
    try {
      return await this.book.send(withdrawal, balance);
    } catch (error) {
      // Whether that was committed is not known, but that nothing was sent is; where this fails too, the sweeper sees to it.
      const { id } = withdrawal;
      const because = { cause: 'request', evidence: 'gave up before sending' } as const;
      const reason = { reason: 'service_unavailable' } as const;
      const stopped = async () =>
        (await this.book.move(id, 'sending', 'failed', because, reason)) ||
        (await this.book.move(id, 'created', 'failed', because, reason));
      await stopped().catch(() => undefined);
      throw error;
    }
  }

  private async command(
    withdrawal: Withdrawal,
    zone: WithdrawalZone,
    account: string,
  ): Promise<DeductionOutcome> {
    const { roleId, amount, orderNo, sentAt } = withdrawal;
    if (orderNo === null || sentAt === null) throw new Error('Nothing is sent without an order_no');
    const age = Date.now() - sentAt.getTime();
    if (age > STALE_MS || age < 0)
      return { kind: 'not_sent', evidence: `stood still for ${age} ms before sending` };
    const deduction = { serverId: zone.id, roleId, account, amount, orderNo };
    return this.gm.deduct(zone.gm, deduction, this.inFlight.stopped);
  }

  private async drop(
    { id }: Withdrawal,
    to: 'refused' | 'failed',
    reason: ErrorName,
    evidence: string,
  ): Promise<false> {
    const because: Because = { cause: 'balance', evidence };
    await this.book.move(id, 'created', to, because, { reason });
    return false;
  }

  private async asStored({ id }: Withdrawal): Promise<Withdrawal> {
    const stored = await this.book.findById(id);
    if (!stored) throw new Error(`withdrawal ${id} is gone`);
    return stored;
  }
}
