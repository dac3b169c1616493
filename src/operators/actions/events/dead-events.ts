import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, LessThan, MoreThan } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { DAY_MS } from '../../../platform/config/time.js';
import { currentDate, currentTime } from '../../../platform/database/database-clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { LEASE_MS } from '../../../platform/events/event-delivery.service.js';
import { EventOutbox } from '../../../platform/events/event-outbox.js';
import { EventQueue, OutboxEvent } from '../../../platform/events/event.entity.js';

const BATCH = 500;
const KEPT_MS = 90 * DAY_MS;

/** Lists and resends the events that an endpoint has not accepted. */
@Injectable()
export class DeadEvents {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: EventOutbox,
    private readonly audit: AuditLog,
  ) {}

  list({
    endpoint,
    limit,
    before,
  }: { endpoint?: string; limit?: number; before?: number } = {}): Promise<OutboxEvent[]> {
    const older = before === undefined ? {} : { id: LessThan(String(before)) };
    return this.dataSource.manager.find(OutboxEvent, {
      where: { ...deadFor(endpoint), ...older },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /**
   * Queues dead events again, and ends the pauses between retries of waiting events. Both work in batches, each with
   * its own audit event. Returns how many events were queued again, and for how many players a pause ended.
   */
  async resend(who: Attribution, endpoint?: string): Promise<{ events: number; players: number }> {
    for (let total = 0; ;) {
      const resent = await inTransaction(this.dataSource, async (manager) => {
        const dead = await manager.find(OutboxEvent, {
          select: { id: true, endpoint: true, playerId: true },
          where: deadFor(endpoint),
          order: { id: 'ASC' },
          take: BATCH,
        });
        if (dead.length === 0) return 0;
        const queues = new Map(dead.map((one) => [`${one.endpoint} ${one.playerId}`, one]));
        await this.outbox.wake(manager, [...queues.values()]);
        const expiresAt = new Date(currentTime() + KEPT_MS);
        const { affected = 0 } = await manager.update(
          OutboxEvent,
          { id: In(dead.map(({ id }) => id)), status: 'dead' },
          { status: 'waiting', tries: 0, expiresAt },
        );
        await this.record(manager, who, endpoint, { events: affected });
        return affected;
      });
      total += resent;
      // The pauses end last, so that a player's dead events come before the waiting ones.
      if (resent === 0) return { events: total, players: await this.endPauses(who, endpoint) };
    }
  }

  /** Ends at most one pause per player and endpoint, because new pauses begin if the endpoint still fails. */
  private async endPauses(who: Attribution, endpoint?: string): Promise<number> {
    let total = 0;
    const queues = this.dataSource.getRepository(EventQueue).createQueryBuilder('q');
    const rows = await queues.select('DISTINCT q.endpoint', 'name').getRawMany<{ name: string }>();
    const names = rows.map(({ name }) => name).filter((name) => name === (endpoint ?? name));
    for (const name of names)
      for (let last: number | undefined = 0; last !== undefined;) {
        const batch = await inTransaction(this.dataSource, async (manager) => {
          const dueAt = MoreThan(new Date(currentTime() + LEASE_MS));
          const paused = await manager.find(EventQueue, {
            select: { playerId: true },
            // An earlier time may be the lease of a delivery in progress.
            where: { endpoint: name, playerId: MoreThan(last!), dueAt },
            order: { playerId: 'ASC' },
            take: BATCH,
          });
          const some = { endpoint: name, playerId: In(paused.map((row) => row.playerId)), dueAt };
          const { affected = 0 } = await manager.update(EventQueue, some, { dueAt: currentDate() });
          if (affected > 0) await this.record(manager, who, endpoint, { players: affected });
          return { players: affected, last: paused.at(BATCH - 1)?.playerId };
        });
        total += batch.players;
        last = batch.last;
      }
    return total;
  }

  private async record(
    manager: EntityManager,
    who: Attribution,
    endpoint: string | undefined,
    after: Record<string, number>,
  ): Promise<void> {
    const subject = endpoint === undefined ? 'events' : `events for ${endpoint}`;
    await this.audit.write(manager, who, { act: 'events.resend', subject, before: null, after });
  }
}

function deadFor(endpoint: string | undefined) {
  return { status: 'dead' as const, ...(endpoint !== undefined && { endpoint }) };
}
