import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { findIdForGame } from '../../platform/auth/account-name.js';
import { CallerNotAllowed } from '../../platform/auth/auth.errors.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { ThirdPartyIdentity } from './links.dto.js';
import { AccountNotFound } from './links.errors.js';
import { type LinkedPlayer, LinksService, type NewlyLinkedPlayer } from './links.service.js';
import { SingleUseService } from './single-use.service.js';

/** Links accounts to identities at the request of game servers. */
@Injectable()
export class BindAccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly links: LinksService,
    private readonly singleUse: SingleUseService,
  ) {}

  async bind(
    account: string,
    identity: ThirdPartyIdentity,
    signature: RequestContext['signature'],
  ): Promise<LinkedPlayer> {
    const playerId = await findIdForGame(this.dataSource.manager, account);
    if (playerId === undefined) throw new AccountNotFound();
    // The queue limits how many requests wait for the player's row.
    const player = await this.rowQueue.inTransaction(`player ${playerId}`, async (manager) => {
      const isRepeat =
        signature &&
        !(await this.singleUse.use(`signature ${signature.hex}`, signature.expiresAt, manager));
      return isRepeat
        ? this.confirm(manager, playerId, identity)
        : this.links.link(manager, playerId, identity);
    });
    this.links.notifyOwner(player, identity);
    return player;
  }

  /** Only confirms an existing link, because a replayed request must not restore a link that was removed meanwhile. */
  private async confirm(
    manager: EntityManager,
    playerId: number,
    identity: ThirdPartyIdentity,
  ): Promise<NewlyLinkedPlayer> {
    const linked = await this.links.findPlayer(identity, manager);
    if (linked?.id !== playerId) throw new CallerNotAllowed();
    return { ...linked, isNewLink: false };
  }
}
