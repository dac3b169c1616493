import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { claimName } from '../../platform/auth/reserved-names.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { AccountTaken } from '../accounts/accounts.errors.js';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';
import type { ThirdPartyIdentity } from '../links/links.dto.js';
import { type LinkedPlayer, LinksService } from '../links/links.service.js';

const NAME_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const MAX_ATTEMPTS = 5;

@Injectable()
export class AutomaticRegistration {
  constructor(private readonly links: LinksService) {}

  async register(
    manager: EntityManager,
    identity: ThirdPartyIdentity,
    address: string,
  ): Promise<LinkedPlayer> {
    return this.links.link(manager, await this.insert(manager, address), identity);
  }

  freshName(): string {
    return `forum_${Array.from({ length: 10 }, () => NAME_CHARACTERS[randomInt(NAME_CHARACTERS.length)]).join('')}`;
  }

  private async insert(manager: EntityManager, ip: string): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const player = { account: this.freshName(), password: UNUSABLE_PASSWORD, ip };
      try {
        if (!(await claimName(manager, player.account))) throw new AccountTaken();
        const { identifiers } = await manager.insert(Player, player);
        return (identifiers[0] as { id: number }).id;
      } catch (error) {
        const isTaken = error instanceof AccountTaken || isDuplicateKey(error);
        if (attempt === MAX_ATTEMPTS || !isTaken) throw error;
      }
    }
  }
}
