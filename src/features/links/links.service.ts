import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { type AdmissionColumns, banSql, requireAdmitted } from '../../platform/auth/ban.js';
import { lockPlayer } from '../../platform/auth/player-row-lock.js';
import type { Player } from '../../platform/auth/player.entity.js';
import { Environment } from '../../platform/config/environment.js';
import { BatchedLookup } from '../../platform/database/batcher.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { latestRows } from '../../platform/database/sql.js';
import { EventOutbox } from '../../platform/events/event-outbox.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { describeIdentity, type ThirdPartyIdentity } from './links.dto.js';
import { AccountLinked, AccountNotFound, ConnectIdTaken, LinkNotFound } from './links.errors.js';
import { PlayerLink } from './player-link.entity.js';

export type LinkedPlayer = Pick<Player, 'id' | 'account' | 'ver' | 'gameAccount'> & {
  /** The value 1 means that a sign-in requires a second factor. */
  hasSecondFactor: number;
};

/** `isNewLink` is false if the link already existed. */
export type NewlyLinkedPlayer = LinkedPlayer & { isNewLink: boolean };

type StoredPlayer = LinkedPlayer & AdmissionColumns;

/** `address` is empty if a game server linked the account. */
const LINK_ADDED_MAIL = {
  name: 'link-added',
  sample: {
    account: 'dragon_slayer',
    link: 'forum “Aria” (10293)',
    address: '203.0.113.7',
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/signin?mode=reset',
  },
  requiredValues: ['account', 'link', 'url'],
} satisfies MailKind;

const COLUMNS = `p.id, p.account, p.ver, p.game_account AS gameAccount, p.disabled_at AS disabledAt,
  p.has_second_factor AS hasSecondFactor,
  ${banSql('p.id')} AS ban`;
const FROM_LINKED_PLAYER = `FROM player p INNER JOIN player_connect_threeparty l ON l.player_id = p.id
  WHERE l.provider = ? AND l.connect_id = ?`;

@Injectable()
export class LinksService {
  private readonly byIdentity: BatchedLookup<StoredPlayer>;

  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(PlayerLink) private readonly links: Repository<PlayerLink>,
    private readonly environment: Environment,
    private readonly rowQueue: RowQueue,
    private readonly events: EventOutbox,
    private readonly mail: MailService,
  ) {
    mail.register(LINK_ADDED_MAIL);
    this.byIdentity = new BatchedLookup(dataSource, COLUMNS, FROM_LINKED_PLAYER);
  }

  findByPlayer(playerId: number, manager = this.dataSource.manager): Promise<PlayerLink[]> {
    return manager.find(PlayerLink, { where: { playerId }, order: { provider: 'ASC' } });
  }

  async unlinkAll(manager: EntityManager, playerId: number): Promise<void> {
    const links = await manager.find(PlayerLink, { where: { playerId }, ...latestRows(manager) });
    await manager.delete(PlayerLink, { playerId });
    for (const link of links) await this.announce(manager, 'player.unlinked', link);
  }

  /** Returns whether an account has the identity, and stores the person's current name at the provider. */
  async recognise({ provider, connectId, name }: ThirdPartyIdentity): Promise<boolean> {
    const link = await this.links.findOneBy({ provider, connectId });
    if (link && name && link.name !== name)
      await this.rowQueue.run(`player ${link.playerId}`, () =>
        this.links.update({ provider, connectId }, { name }),
      );
    return link !== null;
  }

  /** Finds the linked account in the caller's transaction. */
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

  /** Finds the account outside a transaction. Lookups are batched, because game servers send many of them. */
  async getPlayer({ provider, connectId }: ThirdPartyIdentity): Promise<LinkedPlayer> {
    const player = await this.byIdentity.find(provider, connectId);
    if (!player) throw new LinkNotFound();
    requireAdmitted(player);
    return player;
  }

  /** Removes a link in the caller's transaction. Returns false if the account had no such link. */
  async unlink(playerId: number, provider: string, manager: EntityManager): Promise<boolean> {
    const link = await manager.findOneBy(PlayerLink, { playerId, provider });
    if (!link) return false;
    const { connectId } = link;
    const { affected } = await manager.delete(PlayerLink, { playerId, provider, connectId });
    if (affected !== 1) return false;
    await this.announce(manager, 'player.unlinked', link);
    return true;
  }

  private announce(
    manager: EntityManager,
    type: 'player.linked' | 'player.unlinked',
    { playerId, provider, connectId }: Pick<PlayerLink, 'playerId' | 'provider' | 'connectId'>,
  ): Promise<void> {
    const details = { provider, connect_id: connectId };
    return this.events.announce(manager, type, playerId, details);
  }

  /**
   * Inserts a link under the player's lock, which the closing of an account also takes. A repeated call succeeds. Apart
   * from this method, only the import inserts links.
   */
  async link(
    manager: EntityManager,
    playerId: number,
    { provider, connectId, name = null }: ThirdPartyIdentity,
  ): Promise<NewlyLinkedPlayer> {
    await lockPlayer(manager, playerId);
    const [player]: StoredPlayer[] = await manager.query(
      `SELECT ${COLUMNS} FROM player p WHERE p.id = ?`,
      [playerId],
    );
    if (!player) throw new AccountNotFound();
    requireAdmitted(player);
    try {
      await manager.insert(PlayerLink, { playerId, provider, connectId, name });
      await this.announce(manager, 'player.linked', { playerId, provider, connectId });
      return { ...player, isNewLink: true };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const holder = await manager.findOne(PlayerLink, {
        where: { provider, connectId },
        ...latestRows(manager),
      });
      if (!holder) throw new AccountLinked();
      if (holder.playerId !== playerId) throw new ConnectIdTaken();
      return { ...player, isNewLink: false };
    }
  }

  /** Records a player's new link and mails the owner, because a link allows signing in. Call this after the commit. */
  notifyOwner(
    { id, isNewLink }: NewlyLinkedPlayer,
    identity: ThirdPartyIdentity,
    context?: RequestContext,
  ): void {
    if (!isNewLink) return;
    const address = context?.address ?? '';
    const { provider, connectId } = identity;
    if (context) context.change = { what: 'linked', detail: `${provider} ${connectId}` };
    const time = new Date();
    const url = `${this.environment.FRONTEND_URL}/signin?mode=reset`;
    const values = { link: describeIdentity(identity), address, time, url };
    this.mail.warnOwner(id, ({ player: { account }, email }) =>
      this.mail.send(email, LINK_ADDED_MAIL, { account, ...values }, id),
    );
  }
}
