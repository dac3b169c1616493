import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { Player } from '../../../platform/auth/player.entity.js';
import { BAN_IN_FORCE_SQL } from '../../../platform/auth/ban.js';
import type { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { PlayerBans } from './player-bans.js';
import { PlayerFinder } from './player-finder.js';
import { toIsoTime } from '../../../platform/database/sql-time.js';

export interface PlayerMatch {
  player: Player;
  lastLoginAt: Date | null;
  /** The ban in force with the widest scope and the latest end. */
  ban: PlayerBan | null;
}

export interface PlayerPage {
  matches: PlayerMatch[];
  /** The name after which the next page begins; null if there is none. */
  next: string | null;
}

type Query = SelectQueryBuilder<Player>;

// The escape character for LIKE, so that % and _ are matched literally.
const ESCAPE = '!';

// One index step per player, with the id in the statement: with ids from another table, MySQL sorts all successful
// sign-ins.
const LAST_LOGIN = `SELECT ? AS id, MAX(created_at) AS last FROM login_event WHERE player_id = ? AND outcome = 'ok'`;

/** Accounts that are being closed. */
const CLOSING = 'closing:';

/** `banned:` or, for bans that end before the end of that day, `banned:2026-12-01`. */
const BANNED = /^banned:\s*(\d{4}-\d\d-\d\d)?$/;

/**
 * Finds players by a search text: exactly, as `PlayerFinder` does, then by the beginning of the name; or banned or
 * closing ones.
 */
@Injectable()
export class PlayerSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: PlayerFinder,
    private readonly bans: PlayerBans,
  ) {}

  /** Exact matches are only on the first page; the rest is paged by name, which is unique. */
  async find(text: string, after: string | undefined, limit: number): Promise<PlayerPage> {
    const [banned, day] = BANNED.exec(text) ?? [];
    const isFilter = Boolean(banned) || text === CLOSING;
    const exact = text === '' || isFilter ? [] : await this.finder.find(text);
    const known = new Set(exact.map(({ id }) => id));
    const query = text === CLOSING ? this.closing() : banned ? this.banned(day) : this.named(text);
    if (after !== undefined) query.andWhere('p.account > :after', { after });
    const named = await query
      .orderBy('p.account', 'ASC')
      .limit(limit + 1)
      .getMany();
    const page = named.slice(0, limit);
    const last = named.length > limit ? page.at(-1) : undefined;
    const rest = page.filter(({ id }) => !known.has(id));
    const players = after === undefined ? [...exact, ...rest] : rest;
    return { matches: await this.describe(players), next: last?.account ?? null };
  }

  private named(text: string): Query {
    const begin = `${text.replaceAll(/[%_!]/g, (sign) => ESCAPE + sign)}%`;
    return this.players(`p.account LIKE :begin ESCAPE '${ESCAPE}'`, { begin });
  }

  private banned(day: string | undefined): Query {
    const ends = day === undefined ? '' : 'AND b.until <= :end';
    const banned = `SELECT b.player_id FROM player_ban b WHERE ${BAN_IN_FORCE_SQL} ${ends}`;
    return this.players(`p.id IN (${banned})`, { end: `${day} 23:59:59.999` });
  }

  private closing(): Query {
    const closing =
      "SELECT c.id FROM player c WHERE c.closing_at > '2000-01-01' AND c.closed_at IS NULL";
    return this.players(`p.id IN (${closing})`, {});
  }

  private players(which: string, values: object): Query {
    return this.dataSource.createQueryBuilder(Player, 'p').where(which, values);
  }

  private async describe(players: Player[]): Promise<PlayerMatch[]> {
    if (players.length === 0) return [];
    const rows = await this.dataSource.query<Array<{ id: number | string; last: unknown }>>(
      players.map(() => LAST_LOGIN).join(' UNION ALL '),
      players.flatMap(({ id }) => [id, id]),
    );
    const bans = await this.bans.findInForce(players.map(({ id }) => id));
    const lasts = new Map(rows.map(({ id, last }) => [Number(id), toIsoTime(last)]));
    return players.map((player) => {
      const last = lasts.get(player.id);
      const ban = bans.find(({ playerId }) => playerId === player.id) ?? null;
      return { player, lastLoginAt: last ? new Date(last) : null, ban };
    });
  }
}
