import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import {
  ALIAS_OWNER_SQL,
  aliasKeys,
  isSameAccount,
  trimAccountName,
} from '../../platform/auth/account-name.js';
import { AccountDisabled } from '../../platform/auth/auth.errors.js';
import { Player } from '../../platform/auth/player.entity.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { latestRows } from '../../platform/database/latest-rows.js';
import { BatchedLookup } from '../../platform/database/batched-lookup.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { ThirdPartyIdentity } from './third-party-identity.js';
import { AccountLinked, AccountNotFound, ConnectIdTaken, LinkNotFound } from './links.errors.js';
import { PlayerLink } from './player-link.entity.js';

export type LinkedPlayer = Pick<Player, 'id' | 'account' | 'ver' | 'gameAccount'>;

type StoredLink = LinkedPlayer & { disabledAt: unknown };

const COLUMNS =
  'p.id, p.account, p.ver, p.game_account AS gameAccount, p.disabled_at AS disabledAt';
const FROM_LINKED_PLAYER = `FROM player p INNER JOIN player_connect_threeparty l ON l.player_id = p.id
  WHERE l.provider = ? AND l.connect_id = ?`;

const FIND_BY_NAME = `SELECT p.id, p.account, f.aliasId
  FROM (SELECT ${ALIAS_OWNER_SQL} AS aliasId, (SELECT n.id FROM player n WHERE n.account = ?) AS namedId) f
  INNER JOIN player p ON p.id = COALESCE(f.aliasId, f.namedId)`;

/** Links between local accounts and third-party identities. */
@Injectable()
export class LinksService {
  private readonly byIdentity: BatchedLookup<StoredLink>;

  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(PlayerLink) private readonly links: Repository<PlayerLink>,
  ) {
    this.byIdentity = new BatchedLookup(dataSource, COLUMNS, FROM_LINKED_PLAYER);
  }

  findByPlayer(playerId: number, manager = this.dataSource.manager): Promise<PlayerLink[]> {
    return manager.find(PlayerLink, { where: { playerId }, order: { provider: 'ASC' } });
  }

  async unlinkAll(manager: EntityManager, playerId: number): Promise<void> {
    await manager.delete(PlayerLink, { playerId });
  }

  exists(identity: ThirdPartyIdentity): Promise<boolean> {
    return this.links.existsBy({ ...identity });
  }

  /** The account linked to the identity, read in the caller's transaction. */
  async findPlayer(
    { provider, connectId }: ThirdPartyIdentity,
    manager: EntityManager,
  ): Promise<LinkedPlayer | undefined> {
    const found: StoredLink[] = await manager.query(`SELECT ${COLUMNS} ${FROM_LINKED_PLAYER}`, [
      provider,
      connectId,
    ]);
    return requireEnabled(found[0]);
  }

  /** The same outside a transaction, batched: game servers ask this for every forum login. */
  async getPlayer({ provider, connectId }: ThirdPartyIdentity): Promise<LinkedPlayer> {
    const player = requireEnabled(await this.byIdentity.find(provider, connectId));
    if (!player) throw new LinkNotFound();
    return player;
  }

  async linkAccount(account: string, identity: ThirdPartyIdentity): Promise<LinkedPlayer> {
    const [player]: Array<{ id: number; account: string; aliasId: number | null }> =
      await this.dataSource.query(FIND_BY_NAME, [...aliasKeys(account), trimAccountName(account)]);
    if (!player || (player.aliasId === null && !isSameAccount(player.account, account)))
      throw new AccountNotFound();
    return inTransaction(this.dataSource, (manager) => this.link(manager, player.id, identity));
  }

  /** False where there was none. */
  async unlink(playerId: number, provider: string): Promise<boolean> {
    return (await this.links.delete({ playerId, provider })).affected === 1;
  }

  /** The only writer of links. A repeat of the same pair succeeds. */
  async link(
    manager: EntityManager,
    playerId: number,
    { provider, connectId }: ThirdPartyIdentity,
  ): Promise<LinkedPlayer> {
    const player = await manager.findOne(Player, {
      select: { id: true, account: true, ver: true, gameAccount: true, disabledAt: true },
      where: { id: playerId },
    });
    if (!player) throw new AccountNotFound();
    if (player.disabledAt) throw new AccountDisabled();
    try {
      await manager.insert(PlayerLink, { playerId, provider, connectId });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const holder = await manager.findOne(PlayerLink, {
        where: { provider, connectId },
        ...latestRows(manager),
      });
      if (!holder) throw new AccountLinked();
      if (holder.playerId !== playerId) throw new ConnectIdTaken();
    }
    return player;
  }
}

function requireEnabled(player: StoredLink | undefined): LinkedPlayer | undefined {
  if (player?.disabledAt) throw new AccountDisabled();
  return player;
}
