import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, In, MoreThan, Not } from 'typeorm';
import { isDuplicateKey } from '../database/database-errors.js';
import { AuditEvent } from './audit-event.entity.js';

/** Who acts, and why. */
export interface Attribution {
  by: string;
  note: string;
}

export interface AuditedAction {
  /** Such as `player.disable`. */
  act: string;
  /** Such as `player 42`. */
  subject: string;
  before: object | null;
  after: object | null;
}

/** Somebody only looked at it. */
export const DESK_VIEW = 'desk.view';
const VIEW_EVERY_MS = 600_000;

/** Ids read again each time, because a transaction may commit after one with a higher id. */
const LATE_IDS = 100;

/** Nobody said who. */
const SQL_OPERATOR = 'sql';
const SQL_EDIT_NOTE = 'an SQL edit, as the service saw it';

/** The only writer of `audit_event`. */
@Injectable()
export class AuditLog {
  private readonly logger = new Logger(AuditLog.name);
  /** The ids of the newest events that this process has logged. */
  private logged = new Set<number>();
  private newestLogged?: number;

  constructor(private readonly dataSource: DataSource) {}

  /** Written in the transaction of the act, so that neither exists without the other. */
  async write(
    manager: EntityManager,
    { by, note }: Attribution,
    act: AuditedAction,
  ): Promise<void> {
    await this.insert(manager, {
      ...act,
      operator: truncate(by, 64),
      note: truncate(note, 1000),
      createdAt: new Date(),
      changeKey: null,
    });
  }

  /**
   * Records an SQL edit, once however many instances see it. The key is made of the new state and the previous event,
   * so that the same edit is recorded again after it was undone.
   */
  async writeSqlEdit(act: AuditedAction, last: AuditEvent | undefined): Promise<void> {
    const change = JSON.stringify([act.subject, last?.id ?? 0, act.after]);
    await this.insertOnce(change, {
      ...act,
      operator: SQL_OPERATOR,
      note: SQL_EDIT_NOTE,
      createdAt: new Date(),
    });
  }

  /** Records that an operator looked at a subject, once in ten minutes, by the unique key. */
  async writeView(by: string, subject: string): Promise<void> {
    const now = Date.now();
    const view = JSON.stringify([DESK_VIEW, by, subject, Math.floor(now / VIEW_EVERY_MS)]);
    await this.insertOnce(view, {
      act: DESK_VIEW,
      subject,
      operator: truncate(by, 64),
      note: '',
      before: null,
      after: null,
      createdAt: new Date(now),
    });
  }

  /** The newest event of each subject with this prefix. */
  async latestBySubject(prefix: string): Promise<Map<string, AuditEvent>> {
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

  /** The acts about one subject, newest first, without mere views. */
  findBySubject(subject: string, limit: number): Promise<AuditEvent[]> {
    return this.findBySubjects([subject], limit);
  }

  findBySubjects(subjects: string[], limit: number): Promise<AuditEvent[]> {
    return this.dataSource.manager.find(AuditEvent, {
      where: { subject: In(subjects), act: Not(DESK_VIEW) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** Events of other processes, such as commands, whose output nobody keeps. The first call returns none. */
  async findUnlogged(): Promise<AuditEvent[]> {
    const isFirst = this.newestLogged === undefined;
    const newest = this.newestLogged ?? (await this.newestId());
    const recent = await this.dataSource.manager.find(AuditEvent, {
      where: { id: MoreThan(String(newest - LATE_IDS)) },
      order: { id: 'ASC' },
    });
    const unlogged = isFirst ? [] : recent.filter(({ id }) => !this.logged.has(Number(id)));
    // Those of this process that were not committed yet when the others were read stay.
    const uncommitted = [...this.logged].filter((id) => id > newest);
    this.logged = new Set([...uncommitted, ...recent.map(({ id }) => Number(id))]);
    this.newestLogged = Math.max(newest, Number(recent.at(-1)?.id ?? 0));
    return unlogged;
  }

  /** A copy that somebody who deletes the row cannot reach. */
  log({ id, operator, act, subject }: AuditEvent): void {
    this.logger.log(`audit_event ${id}: ${operator} ${act} ${subject}`);
    // A process that never looks for others' events, such as the desk, need not remember its own.
    if (this.newestLogged !== undefined) this.logged.add(Number(id));
  }

  private async newestId(): Promise<number> {
    const [newest] = await this.dataSource.manager.find(AuditEvent, {
      select: { id: true },
      order: { id: 'DESC' },
      take: 1,
    });
    return Number(newest?.id ?? 0);
  }

  private async insert(manager: EntityManager, event: Omit<AuditEvent, 'id'>): Promise<void> {
    const { identifiers } = await manager.insert(AuditEvent, event);
    this.log({ ...event, id: String(identifiers[0]?.id) });
  }

  private async insertOnce(
    once: string,
    event: Omit<AuditEvent, 'id' | 'changeKey'>,
  ): Promise<void> {
    const changeKey = createHash('sha256').update(once).digest('hex');
    const { manager } = this.dataSource;
    // A refused INSERT would use up an id, but a missing id must mean a deleted row.
    if (await manager.existsBy(AuditEvent, { changeKey })) return;
    try {
      await this.insert(manager, { ...event, changeKey });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

function truncate(text: string, longest: number): string {
  return Array.from(text).slice(0, longest).join('');
}
