import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { Session } from '../../../platform/auth/session.entity.js';
import { ActionRefused } from '../action-refused.js';
import { PlayerActions } from './player-actions.js';

/** Ends one session of a player. The others go on. */
@Injectable()
export class PlayerSessionEnd {
  constructor(private readonly actions: PlayerActions) {}

  end(who: Attribution, playerId: number, id: number): Promise<void> {
    return this.actions.runAction(who, 'player.end-session', playerId, async (manager) => {
      const now = new Date();
      const active = { playerId, id, endedAt: IsNull(), expiresAt: MoreThan(now) };
      const session = await manager.findOneBy(Session, active);
      if (!session || (await manager.update(Session, active, { endedAt: now })).affected !== 1)
        throw new ActionRefused('that session has ended already');
      const { address, os, browse, createdAt } = session;
      return { before: { address, os, browse, since: createdAt.toISOString() }, after: {} };
    });
  }
}
