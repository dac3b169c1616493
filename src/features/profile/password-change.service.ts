import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Passwords } from '../accounts/passwords.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type TokenView, toTokenView } from '../sessions/token.view.js';
import { OwnAccount } from './own-account.js';
import type { ChangePasswordDto } from './profile.dto.js';

/** Changes the password of an account, or sets its first one, and ends all other sessions. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ownAccount: OwnAccount,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
  ) {}

  async change(
    me: PlayerIdentity,
    { oldPassword, password }: ChangePasswordDto,
    context: RequestContext,
  ): Promise<TokenView> {
    const player = await this.ownAccount.get(me);
    if (!this.ownAccount.hasPassword(player)) await this.sessions.requireRecentSignIn(me);
    else if (oldPassword === undefined)
      throw new InvalidRequest([fieldProblem('old_password', 'is needed')]);
    else await this.ownAccount.requirePassword(me, oldPassword, context);
    // The old-format token is the password's hash: it only ends when the password really changes.
    if (this.passwords.matches(password, player.password))
      throw new InvalidRequest([fieldProblem('password', 'must not be the present one')]);
    const token = await inTransaction(this.dataSource, (manager) =>
      this.replacePassword(manager, player, password, me.sid, context),
    );
    return toTokenView(player.account, token);
  }

  private async replacePassword(
    manager: EntityManager,
    { id, account, ver, password: before }: Player,
    password: string,
    sid: number | undefined,
    context: RequestContext,
  ): Promise<string> {
    const { affected } = await manager.update(
      Player,
      { id, ver, password: before },
      { password: this.passwords.hash(password), ver: ver + 1 },
    );
    // A reset or another change was first, and ended the caller's token.
    if (affected !== 1) throw new Unauthorized();
    await this.sessions.endOthers(id, sid, manager);
    const owner = { id, account, ver: ver + 1 };
    if (sid !== undefined) return this.sessions.renew(owner, sid, manager);
    return (await this.sessions.start(owner, { context }, manager)).token;
  }
}

function fieldProblem(field: string, message: string) {
  return { field, message };
}
