import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditBook } from '../journal/audit-book.js';
import { Zone } from './zone.entity.js';

const SUBJECT = 'zone ';

export const subjectOfZone = (id: number) => `${SUBJECT}${id}`;

/** A row as `audit_event` keeps it. */
export function zoneState(zone: Zone) {
  const { id, name, address, port, status, sort, openAt, mergedInto } = zone;
  const { gmAddress, gmPort, gmPath, dbHost, dbPort, group, recommended } = zone;
  return {
    id,
    name,
    address,
    port,
    status,
    sort,
    open_at:
      openAt instanceof Date && !Number.isNaN(openAt.getTime()) ? openAt.toISOString() : null,
    merged_into: mergedInto,
    gm_address: gmAddress,
    gm_port: gmPort,
    gm_path: gmPath,
    db_host: dbHost,
    db_port: dbPort,
    zone_group: group,
    recommended,
  };
}

/** Writes down edits of `server` that nobody made with the command, also those made while no instance ran. */
@Injectable()
export class ZoneEdits {
  private readonly logger = new Logger(ZoneEdits.name);
  private seen?: string;
  private looking?: Promise<void>;

  constructor(
    @InjectRepository(Zone) private readonly rows: Repository<Zone>,
    private readonly audit: AuditBook,
  ) {}

  /** For every read of the table. Compares in memory, and asks the database only after a change. */
  look(rows: Zone[]): void {
    const state = JSON.stringify(rows);
    if (state === this.seen) return;
    this.seen = state;
    this.looking = this.compare().catch((error: Error) => {
      this.seen = undefined;
      this.logger.warn(`an edit of a zone was not written down: ${error.message}`);
    });
  }

  /** Once what was seen so far is written. */
  async settled(): Promise<void> {
    await this.looking;
  }

  private async compare(): Promise<void> {
    // The events first, then the rows: otherwise a row of a moment ago would look like an edit that takes a newer one back.
    const last = await this.audit.latest(SUBJECT);
    const rows = await this.rows.find();
    const now = new Map(rows.map((row) => [subjectOfZone(row.id), zoneState(row)]));
    for (const subject of new Set([...last.keys(), ...now.keys()])) {
      const event = last.get(subject);
      const [before, after] = [event?.after ?? null, now.get(subject) ?? null];
      if (isSame(before, after)) continue;
      const act = before === null ? 'zone.add' : after === null ? 'zone.remove' : 'zone.set';
      await this.audit.writeSeen({ act, subject, ...difference(before, after) }, event);
    }
  }
}

/** By column: a later release may know more of them, or write them in another order. */
function isSame(before: object | null, after: object | null): boolean {
  if (before === null || after === null) return before === after;
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  return Object.keys(now!).every((column) => (then![column] ?? null) === (now![column] ?? null));
}

/** Of an edit, what it changed before, and the whole row after: the next edit is compared with that. */
function difference(before: object | null, after: object | null) {
  if (before === null || after === null) return { before, after };
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  const changed = Object.keys(now!).filter((column) => then![column] !== now![column]);
  return { before: Object.fromEntries(changed.map((column) => [column, then![column]])), after };
}
