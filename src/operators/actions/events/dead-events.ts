import { Injectable } from '@nestjs/common';
import { DataSource, In, LessThan, MoreThan } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { DAY_MS } from '../../../platform/config/time.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { LEASE_MS } from '../../../platform/events/event-delivery.service.js';
import { EventOutbox } from '../../../platform/events/event-outbox.js';
import { EventQueue, OutboxEvent } from '../../../platform/events/event.entity.js';

const BATCH = 500;
const KEPT_MS = 90 * DAY_MS;

/** Lists and resends the events that an endpoint never accepted. */
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

  /** Queues dead events again, in batches that are audited separately. Returns the number of events. */
  async resend(who: Attribution, endpoint?: string): Promise<number> {
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
        // Another event of the player may be due only in hours. An earlier time may be that of a delivery in progress.
        const [now, leased] = [currentTime(), currentTime() + LEASE_MS];
        for (const name of new Set(dead.map((one) => one.endpoint))) {
          const players = dead.filter((one) => one.endpoint === name).map((one) => one.playerId);
          const later = {
            endpoint: name,
            playerId: In(players),
            dueAt: MoreThan(new Date(leased)),
          };
          await manager.update(EventQueue, later, { dueAt: new Date(now) });
        }
        const expiresAt = new Date(currentTime() + KEPT_MS);
        const { affected = 0 } = await manager.update(
          OutboxEvent,
          { id: In(dead.map(({ id }) => id)), status: 'dead' },
          { status: 'waiting', tries: 0, expiresAt },
        );
        const subject = endpoint === undefined ? 'events' : `events for ${endpoint}`;
        const after = { events: affected };
        await this.audit.write(manager, who, {
          act: 'events.resend',
          subject,
          before: null,
          after,
        });
        return affected;
      });
      total += resent;
      if (resent === 0) return total;
    }
  }
}

function deadFor(endpoint: string | undefined) {
  return { status: 'dead' as const, ...(endpoint !== undefined && { endpoint }) };
}
