import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EmailTaken } from '../accounts/accounts.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { Environment } from '../../platform/config/environment.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailQueue } from '../../platform/mail/mail-queue.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { MailTemplates } from '../../platform/mail/mail-templates.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { VerifyService } from '../verify/verify.service.js';
import { OwnAccount } from './own-account.js';
import type { ChangeEmailDto } from './profile.dto.js';
import type { EmailView } from './profile.view.js';

const EMAIL_CHANGED_MAIL: MailKind<
  Record<'account' | 'email' | 'address' | 'time' | 'url', string>
> = {
  name: 'email-changed',
  sample: {
    account: 'dragon_slayer',
    email: 'p***@example.com',
    address: '203.0.113.7',
    time: '2026-01-31 23:59 UTC',
    url: 'https://play.example.com/signin',
  },
  requiredValues: ['account', 'email'],
};

/** Gives an account another mailbox, and tells the one before. */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly environment: Environment,
    private readonly ownAccount: OwnAccount,
    private readonly sessions: SessionsService,
    private readonly verify: VerifyService,
    private readonly mail: MailService,
    private readonly queue: MailQueue,
    templates: MailTemplates,
  ) {
    templates.register(EMAIL_CHANGED_MAIL);
  }

  async change(
    me: PlayerIdentity,
    { email, code, password }: ChangeEmailDto,
    context: RequestContext,
  ): Promise<EmailView> {
    if (password === undefined) await this.sessions.requireRecentSignIn(me);
    else await this.ownAccount.requirePassword(me, password, context);
    const before = await this.verify
      .redeem(email, code, context.address, (manager) => this.replaceEmail(manager, me.id, email))
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? new EmailTaken() : error;
      });
    if (before !== null && before.toLowerCase() !== email)
      this.notifyPreviousMailbox(before, me, email, context);
    return { email };
  }

  /** Gives the mailbox before. Locked, so that of many changes at once each tells the one before it. */
  private async replaceEmail(
    manager: EntityManager,
    id: number,
    email: string,
  ): Promise<string | null> {
    await lockPlayer(manager, id);
    const { email: before } = await manager.findOneByOrFail(Player, { id });
    await manager.update(Player, { id }, { email });
    return before;
  }

  private notifyPreviousMailbox(
    before: string,
    { id, account }: PlayerIdentity,
    email: string,
    { address }: RequestContext,
  ): void {
    const url = `${this.environment.FRONTEND_URL}/signin`;
    const time = formatMailTime(new Date());
    const values = { account, email: maskEmail(email), address, time, url };
    this.queue.add(() => this.mail.send(before, EMAIL_CHANGED_MAIL, values, id), { again: true });
  }
}

/** Enough to recognise one's own. */
function maskEmail(email: string): string {
  return email.replace(/^(.).*@/, '$1***@');
}
