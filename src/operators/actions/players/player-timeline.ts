import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DESK_VIEW } from '../../../platform/audit/audit-log.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import { sqlTime, toIsoTime } from '../../../platform/database/sql.js';
import { LinksService } from '../../../features/links/links.service.js';
import { playerAuditSubject } from '../events/event-search.js';
import {
  compareTimelineEvents,
  TIMELINE_KINDS,
  type TimelineBound,
  type TimelineCursor,
  type TimelineKind,
  toTimelineBound,
} from './timeline-cursor.js';

/** Describes an event in the timeline. The names in `facts` are in snake_case. */
export interface TimelineEvent extends TimelineCursor {
  facts: Record<string, unknown>;
}

interface TimelineFilter {
  kinds?: TimelineKind[];
  before?: TimelineCursor;
  limit: number;
}

type Row = Record<string, unknown>;

/** `time` and `key` name the columns that order the rows. The defaults are `created_at` and `id`. */
interface EventQuery {
  sql: string;
  time?: string;
  key?: string;
}

/** These queries select no hash, code or token. */
const QUERIES: Record<Exclude<TimelineKind, 'link'>, EventQuery> = {
  login: {
    sql: `SELECT id, created_at AS time, way, outcome, tries, account AS typed, address, device, request_id
      FROM login_event WHERE player_id = ?`,
  },
  session: {
    sql: `SELECT id, created_at AS time, seen_at, expires_at, ended_at, address, device, os, browse
      FROM session WHERE player_id = ?`,
  },
  entry: {
    sql: `SELECT server_id AS id, entered_at AS time, server_id, enter_count AS times,
        (SELECT name FROM server WHERE server.id = player_zone.server_id) AS server
      FROM player_zone WHERE player_id = ?`,
    time: 'entered_at',
    key: 'server_id',
  },
  withdrawal: {
    sql: `SELECT id, created_at AS time, status AS outcome, reason, role_server_id, role_id, role_name, amount, address, settled_at
      FROM withdraw WHERE player_id = ?`,
  },
  mail: {
    sql: `SELECT id, created_at AS time, kind AS what, outcome, mailbox FROM mail_event WHERE player_id = ?`,
  },
  change: {
    sql: `SELECT id, created_at AS time, what, detail, address, request_id
      FROM player_change WHERE player_id = ?`,
  },
  refusal: {
    sql: `SELECT id, created_at AS time, CONCAT(method, ' ', path) AS request, error AS outcome, address, request_id
      FROM refused_request WHERE player_id = ?`,
  },
  act: {
    sql: `SELECT id, created_at AS time, operator AS operator_name, act, note, state_before, state_after
      FROM audit_event WHERE subject = ? AND act <> '${DESK_VIEW}'`,
  },
};

/** Lists all events of a player, newest first. Each kind of event has an index. */
@Injectable()
export class PlayerTimeline {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: LinksService,
  ) {}

  async load(
    player: Player,
    { kinds = [...TIMELINE_KINDS], before, limit }: TimelineFilter,
  ): Promise<{ events: TimelineEvent[]; next: TimelineCursor | null }> {
    const found: TimelineEvent[] = [];
    // The desk reads timelines every few seconds, so each read uses only one connection at a time.
    for (const kind of kinds) {
      const bound = toTimelineBound(kind, before);
      const events =
        kind === 'link'
          ? this.linkEvents(player, bound)
          : this.read(kind, player, bound, limit + 1);
      found.push(...(await events));
    }
    const events = found.toSorted(compareTimelineEvents);
    const page = events.slice(0, limit);
    return { events: page, next: events.length > limit ? page.at(-1)! : null };
  }

  private async read(
    kind: keyof typeof QUERIES,
    player: Player,
    bound: TimelineBound | undefined,
    limit: number,
  ): Promise<TimelineEvent[]> {
    const { sql, time = 'created_at', key = 'id' } = QUERIES[kind];
    const of = kind === 'act' ? playerAuditSubject(player.id) : player.id;
    const at = bound && sqlTime(bound.at);
    const rows = await this.dataSource.query<Row[]>(
      `${sql} ${bound ? `AND ${time} <= ? AND (${time} < ? OR ${key} < ?)` : ''}
       ORDER BY ${time} DESC, ${key} DESC LIMIT ${limit}`,
      bound ? [of, at, at, bound.id] : [of],
    );
    return rows.map(({ id, time: happened, ...facts }) => ({
      at: new Date(toIsoTime(happened)!),
      kind,
      id: Number(id),
      facts: Object.fromEntries(
        Object.entries(facts).map(([name, value]) => [name, normalizeValue(name, value)]),
      ),
    }));
  }

  /** Reads all links, because a player has few. The id of a link is its position in the list. */
  private async linkEvents(
    { id }: Player,
    bound: TimelineBound | undefined,
  ): Promise<TimelineEvent[]> {
    const links = await this.links.findByPlayer(id);
    return links
      .map(({ provider, connectId, createdAt }, place) => ({
        at: createdAt,
        kind: 'link' as const,
        id: place + 1,
        facts: { provider, connect_id: connectId },
      }))
      .filter((event) => isWithin(event, bound));
  }
}

function isWithin({ at, id }: TimelineEvent, bound: TimelineBound | undefined): boolean {
  if (!bound) return true;
  return at < bound.at || (at.getTime() === bound.at.getTime() && id < bound.id);
}

const NUMERIC_COLUMNS = new Set(['role_id', 'amount']);

/** Normalises times, which drivers return as Date or text, and BIGINT, which they return as text. */
function normalizeValue(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (name.endsWith('_at')) return toIsoTime(value);
  if (NUMERIC_COLUMNS.has(name)) return Number(value);
  if (name.startsWith('state_')) return JSON.parse(value as string) as unknown;
  return value;
}
