import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Player } from '../../auth/player.entity.js';
import { sqlTime } from '../../database/sql-time.js';
import { DESK_VIEW } from '../../journal/audit-book.js';
import { shortenedMailbox } from '../../journal/shortened-mailbox.js';
import { LinksService } from '../../links/links.service.js';
import { subjectOfPlayer, toIso } from '../player-edits.js';
import { newestCode } from './newest-code.js';
import type { Bound, Place, TimelineKind } from './timeline-place.js';

/** Something that happened, with what is known of it in snake_case. */
export interface TimelineEvent extends Place {
  facts: Record<string, unknown>;
}

type Row = Record<string, unknown>;
type Source = (player: Player, bound: Bound | undefined, limit: number) => Promise<TimelineEvent[]>;

/** What can be told of a player, kind by kind, each newest first and by an index. No hash, code or token is selected. */
@Injectable()
export class TimelineSources {
  readonly of: Record<TimelineKind, Source> = {
    login: (player, bound, limit) =>
      this.read('login', {
        sql: `SELECT id, created_at AS time, way, outcome, tries, account AS typed, address, device, request_id
          FROM login_event WHERE player_id = ?`,
        values: [player.id],
        time: 'created_at',
        bound,
        limit,
      }),
    session: (player, bound, limit) =>
      this.read('session', {
        sql: `SELECT id, created_at AS time, seen_at, expires_at, ended_at, address, device, os, browse
          FROM session WHERE player_id = ?`,
        values: [player.id],
        time: 'created_at',
        bound,
        limit,
      }),
    entry: (player, bound, limit) =>
      this.read('entry', {
        sql: `SELECT server_id AS id, entered_at AS time, server_id AS zone_id, enter_count AS times,
            (SELECT name FROM server WHERE server.id = player_zone.server_id) AS zone
          FROM player_zone WHERE player_id = ?`,
        values: [player.id],
        time: 'entered_at',
        key: 'server_id',
        bound,
        limit,
      }),
    withdrawal: (player, bound, limit) =>
      this.read('withdrawal', {
        sql: `SELECT id, created_at AS time, status AS outcome, reason, zone_id, role_id, role_name, amount, settled_at
          FROM withdraw WHERE player_id = ?`,
        values: [player.id],
        time: 'created_at',
        bound,
        limit,
      }),
    link: (player, bound) => this.linked(player, bound),
    mail: (player, bound, limit) => this.mailed(player, bound, limit),
    act: (player, bound, limit) =>
      this.read('act', {
        sql: `SELECT id, created_at AS time, operator AS operator_name, act, note, state_before, state_after
          FROM audit_event WHERE subject = ? AND act <> '${DESK_VIEW}'`,
        values: [subjectOfPlayer(player.id)],
        time: 'created_at',
        bound,
        limit,
      }),
  };

  constructor(
    private readonly dataSource: DataSource,
    private readonly links: LinksService,
  ) {}

  private async read(
    kind: TimelineKind,
    asked: {
      sql: string;
      values: unknown[];
      time: string;
      key?: string;
      bound: Bound | undefined;
      limit: number;
    },
  ): Promise<TimelineEvent[]> {
    const { sql, values, time, key = 'id', bound, limit } = asked;
    const at = bound && sqlTime(bound.at);
    const rows = await this.dataSource.query<Row[]>(
      `${sql} ${bound ? `AND ${time} <= ? AND (${time} < ? OR ${key} < ?)` : ''}
       ORDER BY ${time} DESC, ${key} DESC LIMIT ${limit}`,
      bound ? [...values, at, at, bound.id] : values,
    );
    return rows.map(({ id, time: happened, ...facts }) => ({
      at: new Date(toIso(happened)!),
      kind,
      id: Number(id),
      facts: Object.fromEntries(
        Object.entries(facts).map(([name, value]) => [name, plain(name, value)]),
      ),
    }));
  }

  /** Few, so they are bounded here. Their id is their place among them. */
  private async linked({ id }: Player, bound: Bound | undefined): Promise<TimelineEvent[]> {
    const links = await this.links.ofPlayer(id);
    return links
      .map(({ provider, connectId, createdAt }, place) => ({
        at: createdAt,
        kind: 'link' as const,
        id: place + 1,
        facts: { provider, connect_id: connectId },
      }))
      .filter((event) => isWithin(event, bound));
  }

  /**
   * Of codes only the newest can tell whether it was used. One for a mailbox of nobody, as to register, is in no
   * `mail_event`, and one just sent not yet.
   */
  private async mailed(
    player: Player,
    bound: Bound | undefined,
    limit: number,
  ): Promise<TimelineEvent[]> {
    const mails = await this.read('mail', {
      sql: 'SELECT id, created_at AS time, kind AS what, outcome, mailbox FROM mail_event WHERE player_id = ?',
      values: [player.id],
      time: 'created_at',
      bound,
      limit,
    });
    const code = await newestCode(this.dataSource, player);
    if (!code) return mails;
    if (code.mailId !== undefined)
      return mails.map((mail) =>
        mail.id === code.mailId ? { ...mail, facts: { ...mail.facts, ...code.facts } } : mail,
      );
    const facts = {
      what: 'code',
      outcome: 'sent',
      mailbox: shortenedMailbox(player.email!),
      ...code.facts,
    };
    const alone = { at: code.at, kind: 'mail' as const, id: 0, facts };
    return isWithin(alone, bound) ? [...mails, alone] : mails;
  }
}

function isWithin({ at, id }: TimelineEvent, bound: Bound | undefined): boolean {
  if (!bound) return true;
  return at < bound.at || (at.getTime() === bound.at.getTime() && id < bound.id);
}

const NUMBERS = new Set(['role_id', 'amount']);

/** The drivers give times as Date or text, and BIGINT as text. */
function plain(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (name.endsWith('_at')) return toIso(value);
  if (NUMBERS.has(name)) return Number(value);
  if (name.startsWith('state_')) return JSON.parse(value as string) as unknown;
  return value;
}
