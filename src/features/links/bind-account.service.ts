import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { findIdsByName } from '../../platform/auth/account-name.js';
import { CallerNotAllowed } from '../../platform/auth/auth.errors.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { AccountNotFound } from './links.errors.js';
import { type LinkedPlayer, LinksService } from './links.service.js';
import type { ThirdPartyIdentity } from './third-party-identity.js';
import { UsedTokenStore } from './used-token-store.js';

/** Links accounts at the request of game servers. */
@Injectable()
export class BindAccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly links: LinksService,
    private readonly usedTokens: UsedTokenStore,
  ) {}

  async bind(
    account: string,
    identity: ThirdPartyIdentity,
    signature: RequestContext['signature'],
  ): Promise<LinkedPlayer> {
    const playerId = await this.findPlayerId(account);
    // A link waits for the player's row.
    return this.rowQueue.inTransaction(`player ${playerId}`, async (manager) => {
      const isRepeat =
        signature &&
        !(await this.usedTokens.use(`signature ${signature.hex}`, signature.expiresAt, manager));
      return isRepeat
        ? this.confirm(manager, playerId, identity)
        : this.links.link(manager, playerId, identity);
    });
  }

  private async findPlayerId(account: string): Promise<number> {
    const [id] = await findIdsByName(this.dataSource.manager, account);
    if (id === undefined) throw new AccountNotFound();
    return id;
  }

  /** A recorded call must not restore a link that was removed since. */
  private async confirm(
    manager: EntityManager,
    playerId: number,
    identity: ThirdPartyIdentity,
  ): Promise<LinkedPlayer> {
    const linked = await this.links.findPlayer(identity, manager);
    if (linked?.id !== playerId) throw new CallerNotAllowed();
    return linked;
  }
}
