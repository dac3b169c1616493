import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, In, MoreThan, Not } from 'typeorm';
import { isDuplicateKey } from '../database/database-errors.js';
import { afterCommit } from '../database/transaction.js';
import { AuditEvent } from './audit.entity.js';

export interface Attribution {
  by: string;
  note: string;
}

export interface AuditedAction {
  /** The act is the kind of action, such as `player.disable`. */
  act: string;
  /** The action affects this subject, such as `player 42`. */
  subject: string;
  before: object | null;
  after: object | null;
}

/** Marks an event of an operator who only viewed the subject. */
export const DESK_VIEW = 'desk.view';
const VIEW_EVERY_MS = 600_000;

/** Each read repeats this many ids, because a transaction may commit after another one with a higher id. */
const LATE_IDS = 100;

/** Replaces the operator's name, which is unknown for an SQL edit. */
const SQL_OPERATOR = 'sql';
const SQL_EDIT_NOTE = 'an SQL edit, as the service saw it';

/** Writes the table `audit_event`. No other class writes to it. */
@Injectable()
export class AuditLog {
  private readonly logger = new Logger(AuditLog.name);
  /** Holds the ids of the newest events that this process has logged. */
  private logged = new Set<number>();
  private newestLogged?: number;

  constructor(private readonly dataSource: DataSource) {}

  /** Writes the event in the action's transaction, so that neither exists without the other. */
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
   * Records an SQL edit once, however many instances see it. The key contains the new state and the previous event's
   * id, so that an edit is recorded again if it is repeated after an undo.
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

  /** Records that an operator viewed a subject, at most once in ten minutes. The unique key enforces the limit. */
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

  /** Returns the actions on one subject, without views, newest first. */
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

  /** Finds events of other processes, such as commands, whose output is not kept. The first call returns none. */
  async findUnlogged(): Promise<AuditEvent[]> {
    const isFirst = this.newestLogged === undefined;
    const newest = this.newestLogged ?? (await this.newestId());
    const recent = await this.dataSource.manager.find(AuditEvent, {
      where: { id: MoreThan(String(newest - LATE_IDS)) },
      order: { id: 'ASC' },
    });
    const unlogged = isFirst ? [] : recent.filter(({ id }) => !this.logged.has(Number(id)));
    // Events of this process stay in the set if their transactions had not committed before the read.
    const uncommitted = [...this.logged].filter((id) => id > newest);
    this.logged = new Set([...uncommitted, ...recent.map(({ id }) => Number(id))]);
    this.newestLogged = Math.max(newest, Number(recent.at(-1)?.id ?? 0));
    return unlogged;
  }

  /** Logs a copy of the event, which survives if an attacker deletes the row. */
  log({ id, operator, act, subject }: AuditEvent): void {
    this.logger.log(`audit_event ${id}: ${operator} ${act} ${subject}`);
    // A process that never looks for other processes' events, such as the desk, need not remember its own.
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
    const id = String(identifiers[0]?.id);
    const isWatching = this.newestLogged !== undefined;
    // A transaction that is rolled back or retried must not leave a log line.
    afterCommit(manager, () => {
      const isFoundAlready = isWatching && this.logged.has(Number(id));
      if (!isFoundAlready) this.log({ ...event, id });
    });
  }

  private async insertOnce(
    once: string,
    event: Omit<AuditEvent, 'id' | 'changeKey'>,
  ): Promise<void> {
    const changeKey = createHash('sha256').update(once).digest('hex');
    const { manager } = this.dataSource;
    // A rejected INSERT would use up an id, but a missing id must mean a deleted row.
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
