import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';
import { LoginService } from '../accounts/login.service.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';

/** The caller's row, and the check of the caller's password. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly logins: LoginService,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  /** With the password's hash. */
  async get({ id }: PlayerIdentity): Promise<Player> {
    const player = await this.players
      .createQueryBuilder('p')
      .addSelect('p.password')
      .where({ id })
      .getOne();
    // Deleted between the check of the token and now.
    if (!player) throw new Unauthorized();
    return player;
  }

  hasPassword({ password }: Player): boolean {
    return password !== UNUSABLE_PASSWORD;
  }

  /** As a login does, under the same limits: a stolen token must not serve to guess the password. */
  async requirePassword(
    { account }: PlayerIdentity,
    password: string,
    context: RequestContext,
  ): Promise<void> {
    await this.logins.authenticate(account, password, context);
  }
}
