import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { GmClient, type OrderQueryResult } from './game/gm-client.js';
import { type GmAddress, WithdrawalServers } from './game/withdrawal-servers.js';
import { findRows } from './record/withdrawal-rows.js';
import { WithdrawalStore } from './record/withdrawal-store.js';
import { Withdrawal } from './record/withdrawal.entity.js';

const MAX_PER_SERVER = 500;
const MAX_REMEMBERED = 10_000;
// A round stops after this time, so that it ends before the next sweep even if one more call is running.
const MAX_ROUND_MS = 20_000;
// This is slightly less than the sweep interval, so that each order is queried once per interval by one instance.
const QUERY_INTERVAL_MS = 25_000;
// Within this time, a command reported as "not applied" may still be in transit or queued at the game server.
const NOT_APPLIED_IS_FINAL_AFTER_MS = 60_000;

/** Queries game servers about orders whose outcome is unknown, if the servers support it. */
@Injectable()
export class UnknownWithdrawalsService {
  private readonly logger = new Logger(UnknownWithdrawalsService.name);
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
    // Servers are queried in parallel, so that an unreachable one does not delay the others.
    const servers = await this.serversWithUnknown();
    await Promise.all(
      servers.map((server) =>
        this.resolveServer(server, began, stop).catch((error: Error) =>
          this.logger.warn(`cannot query the orders of server ${server}: ${error.message}`),
        ),
      ),
    );
  }

  /** Queries the game server that received the order, without settling the order. */
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
      // The age is measured before the query, because the game server's response may already be outdated when it
      // arrives.
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

  /** Logs orders that were sent to a GM interface other than the current one, because an operator must settle them. */
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

  /** Returns the due orders, longest-waiting first, because a round may end before all are queried. */
  private findDue(roleServerId: number, gm: GmAddress, began: Date): Promise<Withdrawal[]> {
    const target = { gmHost: gm.host, gmPort: gm.port, gmPath: gm.path };
    const unknown = { status: 'unknown', roleServerId, ...target } as const;
    return this.withdrawals.find({
      where: [
        { ...unknown, askedAt: IsNull() },
        { ...unknown, askedAt: LessThan(new Date(began.getTime() - QUERY_INTERVAL_MS)) },
        // A skewed clock may have given the last query a timestamp in the future.
        { ...unknown, askedAt: MoreThan(new Date(began.getTime() + QUERY_INTERVAL_MS)) },
      ],
      order: { askedAt: 'ASC', id: 'ASC' },
      take: MAX_PER_SERVER,
    });
  }

  /** Ensures that only one instance queries an order at a time. */
  private async claim({ id, orderNo, asks }: Withdrawal, began: Date): Promise<boolean> {
    const claimed = { asks: asks + 1, askedAt: began };
    const unclaimed = { id, orderNo: orderNo!, asks, status: 'unknown' } as const;
    const { affected } = await this.withdrawals.update(unclaimed, claimed);
    return affected === 1;
  }

  /**
   * Returns the time since this process first queried the order. `sent_at` is not used, because the clock that set it
   * may be skewed.
   */
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
    if (kind === 'applied') await this.store.transition(order, 'unknown', 'succeeded', cause);
    if (kind === 'not_applied' && knownFor > NOT_APPLIED_IS_FINAL_AFTER_MS)
      await this.store.transition(order, 'unknown', 'failed', cause);
  }
}

/** Clears the memory when it is full. As a result, some orders are logged again or wait longer. */
function bounded<T extends { size: number; clear(): void }>(memory: T): T {
  if (memory.size > MAX_REMEMBERED) memory.clear();
  return memory;
}
