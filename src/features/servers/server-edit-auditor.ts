import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { GameServer } from './game-server.entity.js';

const SUBJECT_PREFIX = 'server ';

export const serverAuditSubject = (id: number) => `${SUBJECT_PREFIX}${id}`;

/** A row as `audit_event` keeps it. */
export function serverAuditState(server: GameServer) {
  const { id, name, address, port, status, sort, openAt, mergedInto } = server;
  const { gmAddress, gmPort, gmPath, dbHost, dbPort, group, recommended } = server;
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
export class ServerEditAuditor {
  private readonly logger = new Logger(ServerEditAuditor.name);
  private lastSeen?: string;
  private checking?: Promise<void>;

  constructor(
    @InjectRepository(GameServer) private readonly rows: Repository<GameServer>,
    private readonly audit: AuditLog,
  ) {}

  /** For every read of the table. Compares in memory, and asks the database only after a change. */
  check(rows: GameServer[]): void {
    const state = JSON.stringify(rows);
    if (state === this.lastSeen) return;
    this.lastSeen = state;
    this.checking = this.compare().catch((error: Error) => {
      this.lastSeen = undefined;
      this.logger.warn(`an edit of a server could not be recorded: ${error.message}`);
    });
  }

  /** Once what was seen so far is written. */
  async whenIdle(): Promise<void> {
    await this.checking;
  }

  private async compare(): Promise<void> {
    // The events first, then the rows: otherwise a row of a moment ago would look like an edit that takes a newer one back.
    const last = await this.audit.latestBySubject(SUBJECT_PREFIX);
    const rows = await this.rows.find();
    const now = new Map(rows.map((row) => [serverAuditSubject(row.id), serverAuditState(row)]));
    for (const subject of new Set([...last.keys(), ...now.keys()])) {
      const event = last.get(subject);
      const [before, after] = [event?.after ?? null, now.get(subject) ?? null];
      if (isSame(before, after)) continue;
      const act = before === null ? 'server.add' : after === null ? 'server.remove' : 'server.set';
      await this.audit.writeSqlEdit({ act, subject, ...changedColumns(before, after) }, event);
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
function changedColumns(before: object | null, after: object | null) {
  if (before === null || after === null) return { before, after };
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  const changed = Object.keys(now!).filter((column) => then![column] !== now![column]);
  return { before: Object.fromEntries(changed.map((column) => [column, then![column]])), after };
}
