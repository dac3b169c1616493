import { Injectable } from '@nestjs/common';
import { DataSource, In, MoreThan } from 'typeorm';
import { findIdsByName, isSameAccount } from '../../../platform/auth/account-name.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { MAX_INT } from '../../../platform/http/validation/field-rules.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';

const LOOKUP_KINDS = ['id', 'name', 'mail', 'connect'] as const;
/** `game`: the name in the game's tables, which a renamed player keeps. */
type LookupKind = (typeof LOOKUP_KINDS)[number] | 'game';

/** Finds players by any of their identifiers. */
@Injectable()
export class PlayerFinder {
  constructor(private readonly dataSource: DataSource) {}

  /** By account name, mailbox, id or connect_id; `id:42`, `name:42`, `mail:…`, `connect:42` and `game:…` say which. */
  async find(text: string): Promise<Player[]> {
    const [, prefix, rest] = /^(id|name|mail|connect|game):(.+)$/s.exec(text) ?? [];
    const kinds = prefix ? [prefix as LookupKind] : LOOKUP_KINDS;
    const found = await Promise.all(kinds.map((kind) => this.findBy(kind, rest ?? text)));
    const byId = new Map(found.flat().map((player) => [player.id, player]));
    return [...byId.values()];
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

  /**
   * The index begins with the provider, and there are few: this steps from each to the next, while DISTINCT may read
   * every link.
   */
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
