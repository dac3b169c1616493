import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type AuditedAction, AuditLog } from '../../platform/audit/audit-log.js';
import type { AuditEvent } from '../../platform/audit/audit.entity.js';
import type { AuditedTable } from '../../platform/audit/sql-edits.service.js';
import { GameServer } from './game-server.entity.js';

const SUBJECT_PREFIX = 'server ';

export const serverAuditSubject = (id: number) => `${SUBJECT_PREFIX}${id}`;

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

interface ServerEdit {
  action: AuditedAction;
  lastEvent: AuditEvent | undefined;
}

/** Finds SQL edits to `server` by comparing each row with its last `audit_event`. */
@Injectable()
export class ServerSqlEdits implements AuditedTable<ServerEdit> {
  constructor(
    @InjectRepository(GameServer) private readonly rows: Repository<GameServer>,
    private readonly audit: AuditLog,
  ) {}

  async findEdits(): Promise<ServerEdit[]> {
    // The events are read before the rows. In the other order, an old row and a newer event would look like an edit.
    const events = await this.audit.latestBySubject(SUBJECT_PREFIX);
    const rows = await this.rows.find();
    const states = new Map(rows.map((row) => [serverAuditSubject(row.id), serverAuditState(row)]));
    const edits: ServerEdit[] = [];
    for (const subject of new Set([...events.keys(), ...states.keys()])) {
      const lastEvent = events.get(subject);
      const [before, after] = [lastEvent?.after ?? null, states.get(subject) ?? null];
      if (isSame(before, after)) continue;
      const act = before === null ? 'server.add' : after === null ? 'server.remove' : 'server.set';
      edits.push({ action: { act, subject, ...changedColumns(before, after) }, lastEvent });
    }
    return edits;
  }

  async recordAll(): Promise<void> {
    for (const edit of await this.findEdits()) await this.recordEdit(edit);
  }

  recordEdit({ action, lastEvent }: ServerEdit): Promise<void> {
    return this.audit.writeSqlEdit(action, lastEvent);
  }
}

/** Compares column by column, because a later release may add or reorder columns. */
function isSame(before: object | null, after: object | null): boolean {
  if (before === null || after === null) return before === after;
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  return Object.keys(now!).every(
    (column) => comparable(then![column]) === comparable(now![column]),
  );
}

/** Treats a missing column as NULL, and a boolean as 0 or 1. */
function comparable(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}

/** Returns the changed columns' old values and the whole new row, with which the next edit is compared. */
function changedColumns(before: object | null, after: object | null) {
  if (before === null || after === null) return { before, after };
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  const changed = Object.keys(now!).filter((column) => then![column] !== now![column]);
  return { before: Object.fromEntries(changed.map((column) => [column, then![column]])), after };
}
