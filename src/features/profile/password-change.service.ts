import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { Environment } from '../../platform/config/environment.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { PasswordRules } from '../accounts/password-rules.js';
import { Passwords } from '../accounts/passwords.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type TokenView, toTokenView } from '../sessions/sessions.view.js';
import { OwnAccount } from './own-account.js';
import type { ChangePasswordDto } from './profile.dto.js';

const PASSWORD_CHANGED_MAIL = {
  name: 'password-changed',
  sample: {
    account: 'dragon_slayer',
    address: '203.0.113.7',
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/signin?mode=reset',
  },
  requiredValues: ['account', 'url'],
} satisfies MailKind;

/** Changes an account's password or sets its first one, ends all other sessions and mails the owner. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly ownAccount: OwnAccount,
    private readonly passwords: Passwords,
    private readonly passwordRules: PasswordRules,
    private readonly sessions: SessionsService,
    private readonly rowQueue: RowQueue,
    private readonly environment: Environment,
    private readonly mail: MailService,
  ) {
    mail.register(PASSWORD_CHANGED_MAIL);
  }

  async change(
    me: PlayerIdentity,
    { oldPassword, password }: ChangePasswordDto,
    context: RequestContext,
  ): Promise<TokenView> {
    const given = { field: 'old_password', password: oldPassword };
    await this.ownAccount.requireOwner(me, given, context);
    // The row is read only now, because the password check may have replaced an imported player's hash.
    const player = await this.ownAccount.get(me);
    // If the account has changed since the token was checked, the given password may be outdated.
    if (player.ver !== me.ver) throw new Unauthorized();
    this.passwordRules.requireStrong(password, player);
    // The old-format token is the password's hash, so setting the same password again would leave that token valid.
    if (this.passwords.matches(password, player.password))
      throw new InvalidRequest([
        { field: 'password', message: 'must not be the current password' },
      ]);
    const token = await this.rowQueue.inTransaction(`player ${player.id}`, (manager) =>
      this.replacePassword(manager, player, password, me.sid, context),
    );
    context.change = { what: 'password' };
    this.notifyOwner(player, context);
    return toTokenView(player.account, token);
  }

  private notifyOwner(player: Player, { address }: RequestContext): void {
    const url = `${this.environment.FRONTEND_URL}/signin?mode=reset`;
    const values = { account: player.account, address, time: new Date(), url };
    this.mail.notify(player, PASSWORD_CHANGED_MAIL, values);
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
      { password: this.passwords.hash(password), ver: ver + 1, imported: false },
    );
    // A reset or another change came first and ended the caller's token.
    if (affected !== 1) throw new Unauthorized();
    await this.sessions.markEnded(manager, id, sid);
    const owner = { id, account, ver: ver + 1 };
    if (sid !== undefined) return this.sessions.renew(owner, sid, manager);
    return (await this.sessions.start(owner, { context }, manager)).token;
  }
}
