import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import { Settings } from '../../config/settings.js';
import { GmClient, type Inquiry } from '../game/gm-client.js';
import type { GmAddress } from '../game/gm-exchange.js';
import { WithdrawalBook } from '../record/withdrawal-book.js';
import { findRows } from '../record/withdrawal-rows.js';
import { Withdrawal } from '../record/withdrawal.entity.js';
import { WithdrawalZones } from '../game/withdrawal-zones.js';

const MOST_OF_A_ZONE = 500;
const MOST_REMEMBERED = 10_000;
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
  private readonly told = new Set<string>();
  private readonly known = new Map<string, number>();

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

  /** What the game server that an order was sent to says of it now; settles nothing. */
  async ask(order: Withdrawal, stop?: AbortSignal): Promise<Inquiry> {
    const { zoneId, orderNo, gmHost: host, gmPort: port, gmPath: path } = order;
    if (orderNo === null) return { kind: 'not_applied', evidence: 'it was never sent' };
    const problem = await this.zones.askingProblem(order);
    if (problem !== undefined || host === null || port === null || path === null)
      return { kind: 'by_hand', evidence: `${problem}: settle it by hand` };
    return this.gm.ask({ host, port, path }, zoneId, orderNo, stop);
  }

  private async zonesWithUnknown(): Promise<number[]> {
    const orders = this.withdrawals.createQueryBuilder('order').where({ status: 'unknown' });
    const rows = await orders.select('order.zoneId', 'zone').distinct().getRawMany();
    return rows.map(({ zone }: { zone: number }) => zone);
  }

  private async askInTurn(zoneId: number, began: Date, stop: AbortSignal): Promise<void> {
    const gm = (await this.zones.ofOrder(zoneId))?.gm;
    await this.tellOfOthers(zoneId, gm);
    if (!gm) return;
    for (const order of await this.due(zoneId, gm, began)) {
      if (stop.aborted || Date.now() - began.getTime() > ENOUGH_FOR_ONE_ROUND_MS) return;
      if (!(await this.claim(order, began))) continue;
      // What it says counts from here: a slow answer may have been true only when it set out.
      const knownFor = this.knownFor(order);
      const inquiry = await this.ask(order, stop);
      if (inquiry.kind === 'no_answer') {
        this.logger.warn(`zone ${order.zoneId} cannot be asked: ${inquiry.evidence}`);
        return;
      }
      await this.settle(order, inquiry, knownFor);
    }
  }

  /** Orders that went to another game server than the zone names now are left to people; the log says so once. */
  private async tellOfOthers(zoneId: number, gm?: GmAddress): Promise<void> {
    const asked = gm ? [gm.host, gm.port, gm.path] : [null, null, null];
    const condition = `status = 'unknown' AND zone_id = ?
      AND NOT COALESCE(gm_host = ? AND gm_port = ? AND gm_path = ?, FALSE) LIMIT ${MOST_OF_A_ZONE}`;
    const { manager } = this.withdrawals;
    for (const order of await findRows(manager, condition, [zoneId, ...asked])) {
      const problem = await this.zones.askingProblem(order);
      const told = `withdrawal ${order.id}, order ${order.orderNo}: ${problem}; a person settles it`;
      if (problem !== undefined && !this.told.has(told)) this.logger.error(told);
      remember(this.told).add(told);
    }
  }

  /** The ones that waited longest come first: a round may end before all were asked. */
  private due(zoneId: number, gm: GmAddress, began: Date): Promise<Withdrawal[]> {
    const target = { gmHost: gm.host, gmPort: gm.port, gmPath: gm.path };
    const unknown = { status: 'unknown', zoneId, ...target } as const;
    return this.withdrawals.find({
      where: [
        { ...unknown, askedAt: IsNull() },
        { ...unknown, askedAt: LessThan(new Date(began.getTime() - PAUSE_MS)) },
        // A clock that was wrong has dated it ahead.
        { ...unknown, askedAt: MoreThan(new Date(began.getTime() + PAUSE_MS)) },
      ],
      order: { askedAt: 'ASC', id: 'ASC' },
      take: MOST_OF_A_ZONE,
    });
  }

  /** One instance asks at a time. */
  private async claim({ id, orderNo, asks }: Withdrawal, began: Date): Promise<boolean> {
    const claimed = { asks: asks + 1, askedAt: began };
    const unclaimed = { id, orderNo: orderNo!, asks, status: 'unknown' } as const;
    const { affected } = await this.withdrawals.update(unclaimed, claimed);
    return affected === 1;
  }

  /** Since this process first asked for it. `sent_at` may come from a clock that was wrong. */
  private knownFor({ orderNo }: Withdrawal): number {
    const since = this.known.get(orderNo!) ?? performance.now();
    remember(this.known).set(orderNo!, since);
    return performance.now() - since;
  }

  private async settle(
    order: Withdrawal,
    { kind, evidence }: Inquiry,
    knownFor: number,
  ): Promise<void> {
    const because = { cause: 'gm_query', evidence } as const;
    const reason = 'game_server_unavailable';
    if (kind === 'applied') await this.book.move(order, 'unknown', 'succeeded', because);
    if (kind === 'not_applied' && knownFor > NOT_APPLIED_IS_FINAL_AFTER_MS)
      await this.book.move(order, 'unknown', 'failed', because, { reason });
  }
}

/** Forgets everything rather than growing without end: then it is told, and waited for, once more. */
function remember<T extends { size: number; clear(): void }>(memory: T): T {
  if (memory.size > MOST_REMEMBERED) memory.clear();
  return memory;
}
