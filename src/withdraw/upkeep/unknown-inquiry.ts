import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Repository } from 'typeorm';
import { Settings } from '../../config/settings.js';
import { GmClient, type Inquiry } from '../game/gm-client.js';
import { WithdrawalBook } from '../record/withdrawal-book.js';
import { Withdrawal } from '../record/withdrawal.entity.js';
import { WithdrawalZones } from '../game/withdrawal-zones.js';

const MOST_OF_A_ZONE = 500;
// With the last call it ends before the next round of the sweeper is due.
const ENOUGH_FOR_ONE_ROUND_MS = 20_000;
// A little less than the sweeper's: each of its rounds asks, but not those of two instances one after the other.
const PAUSE_MS = 25_000;
// A command may still be on its way, or waiting in the game server, when it is first called not applied.
const NOT_APPLIED_IS_FINAL_AFTER_MS = 60_000;

/** Asks game servers, where they can be asked, what became of orders whose outcome is unknown. */
@Injectable()
export class UnknownInquiry {
  private readonly logger = new Logger(UnknownInquiry.name);

  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly settings: Settings,
    private readonly gm: GmClient,
    private readonly zones: WithdrawalZones,
    private readonly book: WithdrawalBook,
  ) {}

  async askForAll(stop: AbortSignal): Promise<void> {
    if (this.settings.current.withdraw.gm_query_op === null) return;
    const began = new Date();
    // Zones side by side, so that a dead one does not keep the others waiting.
    const zones = await this.zonesWithUnknown();
    await Promise.all(zones.map((zone) => this.askInTurn(zone, began, stop)));
  }

  /** What the game server says now of an order; settles nothing. */
  async ask({ zoneId, orderNo }: Withdrawal, stop?: AbortSignal): Promise<Inquiry> {
    if (orderNo === null) return { kind: 'not_applied', evidence: 'it was never sent' };
    const zone = await this.zones.ofOrder(zoneId);
    if (!zone) return { kind: 'no_answer', evidence: `zone ${zoneId} is gone or was merged` };
    return this.gm.ask(zone.gm, zone.id, orderNo, stop);
  }

  private async zonesWithUnknown(): Promise<number[]> {
    const orders = this.withdrawals.createQueryBuilder('order').where({ status: 'unknown' });
    const rows = await orders.select('order.zoneId', 'zone').distinct().getRawMany();
    return rows.map(({ zone }: { zone: number }) => zone);
  }

  private async askInTurn(zoneId: number, began: Date, stop: AbortSignal): Promise<void> {
    for (const order of await this.due(zoneId, began)) {
      if (stop.aborted || Date.now() - began.getTime() > ENOUGH_FOR_ONE_ROUND_MS) return;
      if (!(await this.claim(order, began))) continue;
      // What it says counts from here: a slow answer may have been true only when it set out.
      const askedAt = new Date();
      const inquiry = await this.ask(order, stop);
      if (inquiry.kind === 'no_answer') {
        this.logger.warn(`zone ${order.zoneId} cannot be asked: ${inquiry.evidence}`);
        return;
      }
      await this.settle(order, inquiry, askedAt);
    }
  }

  /** A round may end before all were asked, at one that is not answered: those who have waited longest come first. */
  private due(zoneId: number, began: Date): Promise<Withdrawal[]> {
    const unknown = { status: 'unknown', zoneId } as const;
    const before = LessThan(new Date(began.getTime() - PAUSE_MS));
    return this.withdrawals.find({
      where: [
        { ...unknown, askedAt: IsNull() },
        { ...unknown, askedAt: before },
      ],
      order: { askedAt: 'ASC', id: 'ASC' },
      take: MOST_OF_A_ZONE,
    });
  }

  /** One instance asks at a time. */
  private async claim({ id, asks }: Withdrawal, began: Date): Promise<boolean> {
    const claimed = { asks: asks + 1, askedAt: began };
    const { affected } = await this.withdrawals.update({ id, asks, status: 'unknown' }, claimed);
    return affected === 1;
  }

  private async settle(
    { id, sentAt }: Withdrawal,
    { kind, evidence }: Inquiry,
    askedAt: Date,
  ): Promise<void> {
    const because = { cause: 'gm_query', evidence } as const;
    if (kind === 'applied') await this.book.move(id, 'unknown', 'succeeded', because);
    const age = sentAt ? askedAt.getTime() - sentAt.getTime() : 0;
    if (kind === 'not_applied' && age > NOT_APPLIED_IS_FINAL_AFTER_MS)
      await this.book.move(id, 'unknown', 'failed', because, { reason: 'game_server_unavailable' });
  }
}
