import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountTaken } from '../accounts/accounts.errors.js';
import { NO_PASSWORD } from '../accounts/passwords.js';
import { RegistrationCap } from '../accounts/registration-cap.js';
import { isNameInGame } from '../auth/game-name.js';
import { Player } from '../auth/player.entity.js';
import { isDuplicate } from '../database/database-errors.js';
import type { Identity } from '../links/identity.js';
import { type LinkedPlayer, LinksService } from '../links/links.service.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ATTEMPTS = 5;

/** Registers a player who comes from the forum without an account. */
@Injectable()
export class AutomaticRegistration {
  constructor(
    private readonly cap: RegistrationCap,
    private readonly links: LinksService,
  ) {}

  async register(
    manager: EntityManager,
    identity: Identity,
    address: string,
  ): Promise<LinkedPlayer> {
    const player = await this.links.link(manager, await this.insert(manager, address), identity);
    // Last, because it locks today's row until commit, and every registration needs that row.
    await this.cap.take(manager);
    return player;
  }

  freshName(): string {
    return `forum_${Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
  }

  private async insert(manager: EntityManager, ip: string): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const player = { account: this.freshName(), password: NO_PASSWORD, ip };
      try {
        if (await isNameInGame(manager, player.account)) throw new AccountTaken();
        const { identifiers } = await manager.insert(Player, player);
        return (identifiers[0] as { id: number }).id;
      } catch (error) {
        const isTaken = error instanceof AccountTaken || isDuplicate(error);
        if (attempt === ATTEMPTS || !isTaken) throw error;
      }
    }
  }
}
