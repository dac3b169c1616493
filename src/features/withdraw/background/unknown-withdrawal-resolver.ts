import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { GmClient, type OrderQueryResult } from '../game/gm-client.js';
import type { GmAddress } from '../game/gm-exchange.js';
import { WithdrawalStore } from '../record/withdrawal-store.js';
import { findRows } from '../record/withdrawal-rows.js';
import { Withdrawal } from '../record/withdrawal.entity.js';
import { WithdrawalServers } from '../game/withdrawal-servers.js';

const MAX_PER_SERVER = 500;
const MAX_REMEMBERED = 10_000;
// With its last call, a round ends before the sweeper's next round is due.
const MAX_ROUND_MS = 20_000;
// A little less than the sweeper's interval: each round asks, but two instances do not ask one after the other.
const QUERY_INTERVAL_MS = 25_000;
// When the game server first says "not applied", the command may still be on its way or queued there.
const NOT_APPLIED_IS_FINAL_AFTER_MS = 60_000;

/** Asks game servers that support it about orders whose outcome is unknown. */
@Injectable()
export class UnknownWithdrawalResolver {
  private readonly logger = new Logger(UnknownWithdrawalResolver.name);
  private readonly reported = new Set<string>();
  private readonly known = new Map<string, number>();

  constructor(
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
    private readonly settings: Settings,
    private readonly gm: GmClient,
    private readonly servers: WithdrawalServers,
    private readonly store: WithdrawalStore,
  ) {}

  async resolveAll(stop: AbortSignal): Promise<void> {
    if (this.settings.current.withdraw.gm_query_op === null) return;
    const began = new Date();
    // Servers in parallel, so that a dead one does not delay the others.
    const servers = await this.serversWithUnknown();
    await Promise.all(
      servers.map((server) =>
        this.resolveServer(server, began, stop).catch((error: Error) =>
          this.logger.warn(`cannot query the orders of server ${server}: ${error.message}`),
        ),
      ),
    );
  }

  /** The current answer of the game server that received the order; settles nothing. */
  async query(order: Withdrawal, stop?: AbortSignal): Promise<OrderQueryResult> {
    const { roleServerId, orderNo, gmHost: host, gmPort: port, gmPath: path } = order;
    if (orderNo === null) return { kind: 'not_applied', evidence: 'it was never sent' };
    const problem = await this.servers.findQueryProblem(order);
    if (problem !== undefined || host === null || port === null || path === null)
      return { kind: 'by_hand', evidence: `${problem}: settle it by hand` };
    return this.gm.queryOrder({ host, port, path }, roleServerId, orderNo, stop);
  }

  private async serversWithUnknown(): Promise<number[]> {
    const orders = this.withdrawals.createQueryBuilder('order').where({ status: 'unknown' });
    const rows = await orders.select('order.roleServerId', 'server').distinct().getRawMany();
    return rows.map(({ server }: { server: number }) => server);
  }

  private async resolveServer(roleServerId: number, began: Date, stop: AbortSignal): Promise<void> {
    const gm = (await this.servers.findForOrder(roleServerId))?.gm;
    await this.reportUnanswerable(roleServerId, gm);
    if (!gm) return;
    for (const order of await this.findDue(roleServerId, gm, began)) {
      if (stop.aborted || Date.now() - began.getTime() > MAX_ROUND_MS) return;
      if (!(await this.claim(order, began))) continue;
      // The answer counts from its request: a slow one may have been true only when it was sent.
      const knownFor = this.knownFor(order);
      const result = await this.query(order, stop);
      if (result.kind === 'no_answer') {
        this.logger.warn(
          `server ${order.roleServerId} does not answer questions about orders: ${result.evidence}`,
        );
        return;
      }
      await this.settle(order, result, knownFor);
    }
  }

  /** Orders sent to another GM interface than the server names now are left to people; the log says so once. */
  private async reportUnanswerable(roleServerId: number, gm?: GmAddress): Promise<void> {
    const target = gm ? [gm.host, gm.port, gm.path] : [null, null, null];
    const condition = `status = 'unknown' AND role_server_id = ?
      AND NOT COALESCE(gm_host = ? AND gm_port = ? AND gm_path = ?, FALSE) LIMIT ${MAX_PER_SERVER}`;
    const { manager } = this.withdrawals;
    for (const order of await findRows(manager, condition, [roleServerId, ...target])) {
      const problem = await this.servers.findQueryProblem(order);
      const message = `withdrawal ${order.id}, order ${order.orderNo}: ${problem}; a person settles it`;
      if (problem !== undefined && !this.reported.has(message)) this.logger.error(message);
      bounded(this.reported).add(message);
    }
  }

  /** Orders that waited longest come first: a round may end before all were asked. */
  private findDue(roleServerId: number, gm: GmAddress, began: Date): Promise<Withdrawal[]> {
    const target = { gmHost: gm.host, gmPort: gm.port, gmPath: gm.path };
    const unknown = { status: 'unknown', roleServerId, ...target } as const;
    return this.withdrawals.find({
      where: [
        { ...unknown, askedAt: IsNull() },
        { ...unknown, askedAt: LessThan(new Date(began.getTime() - QUERY_INTERVAL_MS)) },
        // A wrong clock dated it ahead.
        { ...unknown, askedAt: MoreThan(new Date(began.getTime() + QUERY_INTERVAL_MS)) },
      ],
      order: { askedAt: 'ASC', id: 'ASC' },
      take: MAX_PER_SERVER,
    });
  }

  /** One instance asks at a time. */
  private async claim({ id, orderNo, asks }: Withdrawal, began: Date): Promise<boolean> {
    const claimed = { asks: asks + 1, askedAt: began };
    const unclaimed = { id, orderNo: orderNo!, asks, status: 'unknown' } as const;
    const { affected } = await this.withdrawals.update(unclaimed, claimed);
    return affected === 1;
  }

  /** Since this process first asked about it. `sent_at` may come from a wrong clock. */
  private knownFor({ orderNo }: Withdrawal): number {
    const since = this.known.get(orderNo!) ?? performance.now();
    bounded(this.known).set(orderNo!, since);
    return performance.now() - since;
  }

  private async settle(
    order: Withdrawal,
    { kind, evidence }: OrderQueryResult,
    knownFor: number,
  ): Promise<void> {
    const cause = { cause: 'gm_query', evidence } as const;
    const reason = 'game_server_unavailable';
    if (kind === 'applied') await this.store.transition(order, 'unknown', 'succeeded', cause);
    if (kind === 'not_applied' && knownFor > NOT_APPLIED_IS_FINAL_AFTER_MS)
      await this.store.transition(order, 'unknown', 'failed', cause, { reason });
  }
}

/** Forgets everything rather than growing without limit: then the log line and the wait are repeated. */
function bounded<T extends { size: number; clear(): void }>(memory: T): T {
  if (memory.size > MAX_REMEMBERED) memory.clear();
  return memory;
}
