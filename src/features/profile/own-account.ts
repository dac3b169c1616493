import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { BadCredentials } from '../accounts/accounts.errors.js';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';
import { LoginService } from '../accounts/login.service.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { requireRecentProof } from '../../platform/auth/recent-proof.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';

/** The caller's row, and the check of the caller's password. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly logins: LoginService,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  /** Includes the password's hash. */
  async get({ id }: PlayerIdentity): Promise<Player> {
    const player = await this.players
      .createQueryBuilder('p')
      .addSelect('p.password')
      .where({ id })
      .getOne();
    // Deleted after the token was checked.
    if (!player) throw new Unauthorized();
    return player;
  }

  hasPassword({ password }: Player): boolean {
    return password !== UNUSABLE_PASSWORD;
  }

  /** By password or, for an account without one, by a recent sign-in. `field` names the field of the password. */
  async requireOwner(
    me: PlayerIdentity,
    player: Player,
    given: { field: string; password: string | undefined },
    context: RequestContext,
  ): Promise<void> {
    if (!this.hasPassword(player)) requireRecentProof(me);
    else if (given.password === undefined)
      throw new InvalidRequest([{ field: given.field, message: 'is needed' }]);
    else await this.requirePassword(me, given.password, context);
  }

  /** Under the same limits as a login: a stolen token must not help to guess the password. */
  async requirePassword(
    me: PlayerIdentity,
    password: string,
    context: RequestContext,
  ): Promise<void> {
    const { id } = await this.logins.authenticate(me.account, password, context);
    // The name may also be another player's old name.
    if (id !== me.id) throw new BadCredentials();
  }
}
