import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import { type PlayerIdentity, requireRecentProof } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { BadCredentials } from '../accounts/accounts.errors.js';
import { LoginService } from '../accounts/login.service.js';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';

/** Reads the caller's row and checks the caller's password. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly logins: LoginService,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  /** Returns the caller's row, including the password hash. */
  async get({ id }: PlayerIdentity): Promise<Player> {
    const player = await this.players
      .createQueryBuilder('p')
      .addSelect('p.password')
      .where({ id })
      .getOne();
    // The row was deleted after the token was checked.
    if (!player) throw new Unauthorized();
    return player;
  }

  hasPassword({ password }: Player): boolean {
    return password !== UNUSABLE_PASSWORD;
  }

  /** Requires the password or, if the account has none, a recent sign-in. Validation errors refer to `field`. */
  async requireOwner(
    me: PlayerIdentity,
    given: { field: string; password: string | undefined },
    context: RequestContext,
  ): Promise<void> {
    if (!this.hasPassword(await this.get(me))) requireRecentProof(me);
    else if (given.password === undefined)
      throw new InvalidRequest([{ field: given.field, message: 'is needed' }]);
    else await this.requirePassword(me, given.password, context);
  }

  /** Applies the login limits, so that a stolen token does not help to guess the password. */
  async requirePassword(
    me: PlayerIdentity,
    password: string,
    context: RequestContext,
  ): Promise<void> {
    const { id } = await this.logins.authenticate(me.account, password, context);
    // The name may also be an old name of another player.
    if (id !== me.id) throw new BadCredentials();
  }
}
