import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Player } from '../../../platform/auth/player.entity.js';
import { PlayerFinder } from './player-finder.js';
import { toIsoTime } from '../../../platform/database/sql-time.js';

export interface PlayerMatch {
  player: Player;
  lastLoginAt: Date | null;
}

export interface PlayerPage {
  matches: PlayerMatch[];
  /** The name after which the next page begins; null: there is none. */
  next: string | null;
}

// A plain sign in names, so that % and _ are looked for as they are.
const ESCAPE = '!';

// One step in the index for each, with the id in the statement: for ids of another table MySQL sorts all that worked.
const LAST_LOGIN = `SELECT ? AS id, MAX(created_at) AS last FROM login_event WHERE player_id = ? AND outcome = 'ok'`;

/** Finds players by what somebody types: exactly, as `PlayerFinder` does, then by how their names begin. */
@Injectable()
export class PlayerSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: PlayerFinder,
  ) {}

  /** The exact ones stand on the first page alone; the rest is paged by name, which is unique. */
  async find(text: string, after: string | undefined, limit: number): Promise<PlayerPage> {
    const exact = text === '' ? [] : await this.finder.find(text);
    const known = new Set(exact.map(({ id }) => id));
    const named = await this.findByNamePrefix(text, after, limit + 1);
    const page = named.slice(0, limit);
    const last = named.length > limit ? page.at(-1) : undefined;
    const rest = page.filter(({ id }) => !known.has(id));
    const players = after === undefined ? [...exact, ...rest] : rest;
    return { matches: await this.withLastLogin(players), next: last?.account ?? null };
  }

  private findByNamePrefix(
    text: string,
    after: string | undefined,
    limit: number,
  ): Promise<Player[]> {
    const begin = `${text.replaceAll(/[%_!]/g, (sign) => ESCAPE + sign)}%`;
    const query = this.dataSource
      .createQueryBuilder(Player, 'p')
      .where(`p.account LIKE :begin ESCAPE '${ESCAPE}'`, { begin });
    if (after !== undefined) query.andWhere('p.account > :after', { after });
    return query.orderBy('p.account', 'ASC').limit(limit).getMany();
  }

  private async withLastLogin(players: Player[]): Promise<PlayerMatch[]> {
    if (players.length === 0) return [];
    const rows = await this.dataSource.query<Array<{ id: number | string; last: unknown }>>(
      players.map(() => LAST_LOGIN).join(' UNION ALL '),
      players.flatMap(({ id }) => [id, id]),
    );
    const lasts = new Map(rows.map(({ id, last }) => [Number(id), toIsoTime(last)]));
    return players.map((player) => {
      const last = lasts.get(player.id);
      return { player, lastLoginAt: last ? new Date(last) : null };
    });
  }
}
