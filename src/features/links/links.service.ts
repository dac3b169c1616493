import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { type AdmissionColumns, banSql, requireAdmitted } from '../../platform/auth/ban.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import type { Player } from '../../platform/auth/player.entity.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { latestRows } from '../../platform/database/latest-rows.js';
import { BatchedLookup } from '../../platform/database/batched-lookup.js';
import type { ThirdPartyIdentity } from './third-party-identity.js';
import { AccountLinked, AccountNotFound, ConnectIdTaken, LinkNotFound } from './links.errors.js';
import { PlayerLink } from './player-link.entity.js';

export type LinkedPlayer = Pick<Player, 'id' | 'account' | 'ver' | 'gameAccount'> & {
  /** 1 where the identity alone gives no token. */
  hasSecondFactor: number;
};

type StoredPlayer = LinkedPlayer & AdmissionColumns;

const COLUMNS = `p.id, p.account, p.ver, p.game_account AS gameAccount, p.disabled_at AS disabledAt,
  p.has_second_factor AS hasSecondFactor,
  ${banSql('p.id')} AS ban`;
const FROM_LINKED_PLAYER = `FROM player p INNER JOIN player_connect_threeparty l ON l.player_id = p.id
  WHERE l.provider = ? AND l.connect_id = ?`;

/** Links between local accounts and third-party identities. */
@Injectable()
export class LinksService {
  private readonly byIdentity: BatchedLookup<StoredPlayer>;

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
    const [found]: StoredPlayer[] = await manager.query(`SELECT ${COLUMNS} ${FROM_LINKED_PLAYER}`, [
      provider,
      connectId,
    ]);
    if (found) requireAdmitted(found);
    return found;
  }

  /** The same outside a transaction, batched: game servers ask this for every forum login. */
  async getPlayer({ provider, connectId }: ThirdPartyIdentity): Promise<LinkedPlayer> {
    const player = await this.byIdentity.find(provider, connectId);
    if (!player) throw new LinkNotFound();
    requireAdmitted(player);
    return player;
  }

  /** False if there was none. */
  async unlink(playerId: number, provider: string): Promise<boolean> {
    return (await this.links.delete({ playerId, provider })).affected === 1;
  }

  /** The only writer of links. A repeat of the same pair succeeds. Takes the player's lock, as closing does. */
  async link(
    manager: EntityManager,
    playerId: number,
    { provider, connectId }: ThirdPartyIdentity,
  ): Promise<LinkedPlayer> {
    await lockPlayer(manager, playerId);
    const [player]: StoredPlayer[] = await manager.query(
      `SELECT ${COLUMNS} FROM player p WHERE p.id = ?`,
      [playerId],
    );
    if (!player) throw new AccountNotFound();
    requireAdmitted(player);
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
