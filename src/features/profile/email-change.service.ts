import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EmailTaken } from '../accounts/accounts.errors.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { requireRecentProof } from '../../platform/auth/recent-proof.js';
import { Environment } from '../../platform/config/environment.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import { VerifyService } from '../verify/verify.service.js';
import { MailboxUndoService } from './mailbox-undo.service.js';
import { OwnAccount } from './own-account.js';
import type { ChangeEmailDto } from './profile.dto.js';
import type { EmailView } from './profile.view.js';

const EMAIL_CHANGED_MAIL = {
  name: 'email-changed',
  sample: {
    account: 'dragon_slayer',
    email: 'p***@example.com',
    address: '203.0.113.7',
    time: '2026-01-31 23:59 UTC',
    url: 'https://play.example.com/signin#undo=eyJ',
  },
  requiredValues: ['account', 'email', 'url'],
} satisfies MailKind;

interface ReplacedMailbox {
  mailbox: string;
  /** The token of the undo link. */
  token: string;
}

/** Changes an account's mailbox and mails the previous one. */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly environment: Environment,
    private readonly ownAccount: OwnAccount,
    private readonly verify: VerifyService,
    private readonly undo: MailboxUndoService,
    private readonly rowQueue: RowQueue,
    private readonly mail: MailService,
  ) {
    mail.register(EMAIL_CHANGED_MAIL);
  }

  async change(
    me: PlayerIdentity,
    { email, code, password }: ChangeEmailDto,
    context: RequestContext,
  ): Promise<EmailView> {
    const given = { field: 'password', password };
    // With a second factor, the password is no proof.
    if (me.hasSecondFactor) requireRecentProof(me);
    else await this.ownAccount.requireOwner(me, await this.ownAccount.get(me), given, context);
    const replaced = await this.rowQueue
      .run(`player ${me.id}`, () =>
        this.verify.redeem(email, code, context.address, (manager) =>
          this.replaceEmail(manager, me, email),
        ),
      )
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? new EmailTaken() : error;
      });
    if (replaced) this.notifyPreviousMailbox(replaced, me, email, context);
    return { email };
  }

  /**
   * Returns the previous mailbox if it must be notified. Takes the player's lock, so that each of several parallel
   * changes notifies the mailbox that it replaced.
   */
  private async replaceEmail(
    manager: EntityManager,
    { id, ver }: PlayerIdentity,
    email: string,
  ): Promise<ReplacedMailbox | undefined> {
    await lockPlayer(manager, id);
    const player = await manager
      .createQueryBuilder(Player, 'p')
      .addSelect('p.lockVersion')
      .where({ id, ver })
      .getOne();
    // A reset or an undo happened meanwhile and ended the caller's token.
    if (!player) throw new Unauthorized();
    const { email: before, lockVersion: version } = player;
    if (before?.toLowerCase() === email) return undefined;
    await manager.update(Player, { id }, { email, withdrawPausedAt: new Date() });
    if (before === null) return undefined;
    const token = await this.undo.allow(manager, { playerId: id, version }, before);
    return { mailbox: before, token };
  }

  private notifyPreviousMailbox(
    { mailbox, token }: ReplacedMailbox,
    { id, account }: PlayerIdentity,
    email: string,
    { address }: RequestContext,
  ): void {
    // In the fragment, so that it appears in no log.
    const url = `${this.environment.FRONTEND_URL}/signin#undo=${token}`;
    const time = formatMailTime(new Date());
    const values = { account, email: maskEmail(email), address, time, url };
    this.mail.notify({ id, email: mailbox }, EMAIL_CHANGED_MAIL, values);
  }
}

/** Enough for the owner to recognise it. */
function maskEmail(email: string): string {
  return email.replace(/^(.).*@/, '$1***@');
}
