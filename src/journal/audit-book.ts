import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isDuplicate } from '../database/database-errors.js';
import { AuditEvent } from './audit-event.entity.js';

/** Who acts, and why. */
export interface Operator {
  by: string;
  note: string;
}

export interface Act {
  /** Such as `player.disable`. */
  act: string;
  /** Such as `player 42`. */
  subject: string;
  before: object | null;
  after: object | null;
}

/** Nobody said who. */
const SQL = 'sql';
const SEEN = 'an SQL edit, as the service saw it';

/** The only writer of `audit_event`. */
@Injectable()
export class AuditBook {
  constructor(private readonly dataSource: DataSource) {}

  /** In the transaction of the act itself: neither is there without the other. */
  async write(manager: EntityManager, { by, note }: Operator, act: Act): Promise<void> {
    await manager.insert(AuditEvent, {
      ...act,
      operator: cut(by, 64),
      note: cut(note, 1000),
      createdAt: new Date(),
    });
  }

  /**
   * An edit that somebody made by SQL, once however many instances see it: the key is of the state and of the event
   * before it, so that the same edit is written again after it was undone.
   */
  async writeSeen(act: Act, last: AuditEvent | undefined): Promise<void> {
    const change = JSON.stringify([act.subject, last?.id ?? 0, act.after]);
    const changeKey = createHash('sha256').update(change).digest('hex');
    const event = { ...act, operator: SQL, note: SEEN, createdAt: new Date(), changeKey };
    try {
      await this.dataSource.manager.insert(AuditEvent, event);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  /** The newest event of each subject that begins so. */
  async latest(prefix: string): Promise<Map<string, AuditEvent>> {
    const events = await this.dataSource
      .createQueryBuilder(AuditEvent, 'event')
      .where(
        (query) =>
          `event.id IN ${query
            .subQuery()
            .select('MAX(newest.id)')
            .from(AuditEvent, 'newest')
            .where('newest.subject >= :from AND newest.subject < :to')
            .groupBy('newest.subject')
            .getQuery()}`,
      )
      .setParameters({ from: prefix, to: `${prefix}~` })
      .getMany();
    return new Map(events.map((event) => [event.subject, event]));
  }

  /** Of one subject, newest first. */
  of(subject: string, limit: number): Promise<AuditEvent[]> {
    return this.dataSource.manager.find(AuditEvent, {
      where: { subject },
      order: { id: 'DESC' },
      take: limit,
    });
  }
}

function cut(text: string, longest: number): string {
  return Array.from(text).slice(0, longest).join('');
}
