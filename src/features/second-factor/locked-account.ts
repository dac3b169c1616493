import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SignInAgain } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { lockUnchangedPlayer } from '../../platform/auth/player-lock.js';
import { requireRecentProof } from '../../platform/auth/recent-proof.js';
import { RowQueue } from '../../platform/database/row-queue.js';

/** Changes the factors of the caller's account: with a recent proof, one change at a time. */
@Injectable()
export class LockedAccount {
  constructor(private readonly rowQueue: RowQueue) {}

  /** In a transaction. The proof is void if the account got its first factor, or a new password, meanwhile. */
  async change<T>(me: PlayerIdentity, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    requireRecentProof(me);
    return this.rowQueue.inTransaction(`player ${me.id}`, async (manager) => {
      if (!(await lockUnchangedPlayer(manager, me))) throw new SignInAgain();
      return work(manager);
    });
  }
}
