import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DataSource, In, MoreThan, type SelectQueryBuilder } from 'typeorm';
import { findIdsByName, isSameAccount } from '../../../platform/auth/account-name.js';
import { BAN_IN_FORCE_SQL } from '../../../platform/auth/ban.js';
import type { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { toIsoTime } from '../../../platform/database/sql.js';
import { normalizeAddress } from '../../../platform/http/request/address.js';
import { MAX_INT } from '../../../platform/http/validation/field.decorator.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';
import { PlayerBans } from './player-bans.js';

export interface PlayerMatch {
  player: Player;
  lastLoginAt: Date | null;
  /** If several bans are in force, this is the one with the widest scope and the latest end. */
  ban: PlayerBan | null;
}

type Query = SelectQueryBuilder<Player>;

const LOOKUP_KINDS = ['id', 'name', 'mail', 'connect'] as const;
/** `game` is the name in the game's tables, which stays the same when a player is renamed. */
type LookupKind = (typeof LOOKUP_KINDS)[number] | 'game';

const LIKE_ESCAPE = '!';

// With a literal id, each player costs one index lookup. If the ids came from another table, MySQL would sort all
// successful sign-ins.
const LAST_LOGIN = `SELECT ? AS id, MAX(created_at) AS last FROM login_event WHERE player_id = ? AND outcome = 'ok'`;

const MAX_TRACES = 100;
const ADDRESS_USERS = `SELECT DISTINCT player_id AS id FROM login_event
  WHERE address = ? AND outcome = 'ok' AND player_id IS NOT NULL LIMIT ${MAX_TRACES}`;
const ROLE_OWNERS = `SELECT DISTINCT player_id AS id FROM withdraw WHERE role_name = ? LIMIT ${MAX_TRACES}`;

const CLOSING = 'closing:';

/** This prefix finds banned players. `banned:2026-12-01` finds only bans that end by the end of that day. */
const BANNED = /^banned:\s*(\d{4}-\d\d-\d\d)?$/;

@Injectable()
export class PlayerSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly bans: PlayerBans,
  ) {}

  /**
   * Finds players by account name, e-mail address, id or connect_id. A prefix such as `id:42`, `name:42`, `mail:…`,
   * `connect:42` or `game:…` limits the search to one kind.
   */
  async findExact(text: string): Promise<Player[]> {
    const [, prefix, rest] = /^(id|name|mail|connect|game):(.+)$/s.exec(text) ?? [];
    const kinds = prefix ? [prefix as LookupKind] : LOOKUP_KINDS;
    const found = await Promise.all(kinds.map((kind) => this.findBy(kind, rest ?? text)));
    const byId = new Map(found.flat().map((player) => [player.id, player]));
    return [...byId.values()];
  }

  /**
   * Finds banned players, closing accounts, or players whose name begins with the text. Only the first page contains
   * exact matches. The other matches are paged by name, which is unique, and the next page begins after `next`.
   */
  async find(text: string, after: string | undefined, limit: number) {
    const [banned, day] = BANNED.exec(text) ?? [];
    const isFilter = Boolean(banned) || text === CLOSING;
    const exact = text === '' || isFilter ? [] : await this.findExactOrTraces(text);
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

  /** Adds players who signed in from this address, or who withdrew with a role of this name. */
  private async findExactOrTraces(text: string): Promise<Player[]> {
    const exact = await this.findExact(text);
    const [sql, value] =
      isIP(text) === 0
        ? [ROLE_OWNERS, text.replace(/^role:\s*/, '')]
        : [ADDRESS_USERS, normalizeAddress(text)];
    const rows = await this.dataSource.query<Array<{ id: number }>>(sql, [value]);
    const known = new Set(exact.map(({ id }) => id));
    const ids = rows.map(({ id }) => id).filter((id) => !known.has(id));
    const others = ids.length > 0 ? await this.players('p.id IN (:...ids)', { ids }).getMany() : [];
    return [...exact, ...others];
  }

  private named(text: string): Query {
    const begin = `${text.replaceAll(/[%_!]/g, (sign) => LIKE_ESCAPE + sign)}%`;
    return this.players(`p.account LIKE :begin ESCAPE '${LIKE_ESCAPE}'`, { begin });
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

  private async findBy(kind: LookupKind, text: string): Promise<Player[]> {
    const players = this.dataSource.getRepository(Player);
    if (kind === 'id') {
      const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Infinity;
      return id <= MAX_INT ? players.findBy({ id }) : [];
    }
    if (kind === 'name') {
      const ids = await findIdsByName(this.dataSource.manager, text);
      return ids.length > 0 ? players.findBy({ id: In(ids) }) : [];
    }
    if (kind === 'game') {
      const found = await players.findBy({ gameAccountFolded: text });
      const named = found.filter(({ gameAccount }) => isSameAccount(gameAccount ?? '', text));
      return named.length > 0 ? named : this.findBy('name', text);
    }
    if (kind === 'mail') {
      const email = text.toLowerCase();
      const owners = email.includes('@') ? await players.findBy({ email }) : [];
      return owners.filter((owner) => owner.email?.toLowerCase() === email);
    }
    const links = await this.dataSource.getRepository(PlayerLink).findBy({
      provider: In(await this.providers()),
      connectId: text,
    });
    const linked = links.filter(({ connectId }) => connectId === text);
    return Promise.all(linked.map(({ playerId: id }) => players.findOneByOrFail({ id })));
  }

  /** Steps from each provider to the next in the index, because DISTINCT may read every link. */
  private async providers(): Promise<string[]> {
    const links = this.dataSource.getRepository(PlayerLink);
    const found: string[] = [];
    for (;;) {
      const next = await links.findOne({
        where: { provider: MoreThan(found.at(-1) ?? '') },
        order: { provider: 'ASC' },
      });
      if (!next) return found;
      found.push(next.provider);
    }
  }
}
