import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountDisabled, Unauthorized } from './auth.errors.js';
import { Player } from './player.entity.js';
import { TokenService } from './token.service.js';

export interface PlayerIdentity {
  id: number;
  account: string;
  token: string;
}

/** Decides whether a JWT is in force: genuine, of the account's present version, and the account not disabled. */
@Injectable()
export class IdentityService {
  constructor(
    private readonly tokens: TokenService,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  async identify(token: string): Promise<PlayerIdentity> {
    const owner = this.tokens.read(token);
    if (!owner) throw new Unauthorized();
    const player = await this.players.findOne({
      select: { id: true, account: true, ver: true, disabledAt: true },
      where: { id: owner.id },
    });
    // The name as well: after a restore from a backup, numbers are given out again.
    const isOwner = player?.account.toLowerCase() === owner.account.toLowerCase();
    if (!player || !isOwner || player.ver !== owner.ver) throw new Unauthorized();
    if (player.disabledAt) throw new AccountDisabled();
    return { id: player.id, account: player.account, token };
  }
}
