import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { maskMailbox } from '../../platform/audit/mail-event-log.js';
import { SignInAgain } from '../../platform/auth/auth.errors.js';
import { type PlayerIdentity, requireRecentProof } from '../../platform/auth/identity.service.js';
import { lockUnchangedPlayer } from '../../platform/auth/player-row-lock.js';
import { Player } from '../../platform/auth/player.entity.js';
import { Environment } from '../../platform/config/environment.js';
import { currentDate } from '../../platform/database/database-clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { EmailTaken } from '../accounts/accounts.errors.js';
import { MailDomains } from '../verify/mail-domains.js';
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
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/signin?account=dragon_slayer#undo=eyJ',
  },
  requiredValues: ['account', 'email', 'url'],
} satisfies MailKind;

interface ReplacedMailbox {
  mailbox: string;
  token: string;
}

@Injectable()
export class EmailChangeService {
  constructor(
    private readonly environment: Environment,
    private readonly ownAccount: OwnAccount,
    private readonly verify: VerifyService,
    private readonly domains: MailDomains,
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
    this.domains.requireAccepted(email);
    const given = { field: 'password', password };
    // For an account with a second factor, the password alone is not enough.
    if (me.hasSecondFactor) requireRecentProof(me);
    else await this.ownAccount.requireOwner(me, given, context);
    const changed = await this.rowQueue
      .run(`player ${me.id}`, () =>
        this.verify.redeem(email, code, context.address, (manager) =>
          this.replaceEmail(manager, me, email),
        ),
      )
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? new EmailTaken() : error;
      });
    if (!changed) return { email };
    context.change = { what: 'email', detail: maskMailbox(email) };
    if (changed.replaced) this.notifyPreviousMailbox(changed.replaced, me, email, context);
    return { email };
  }

  /**
   * Returns the previous e-mail address and its undo token, or undefined if nothing changed. Takes the player's lock,
   * so that each of several parallel changes notifies the address that it replaced.
   */
  private async replaceEmail(
    manager: EntityManager,
    me: PlayerIdentity,
    email: string,
  ): Promise<{ replaced: ReplacedMailbox | null } | undefined> {
    const { id } = me;
    // A reset or an undo came first, or the owner enabled a second factor, so the password is no longer enough.
    if (!(await lockUnchangedPlayer(manager, me))) throw new SignInAgain();
    const { email: before, lockVersion: version } = await manager
      .createQueryBuilder(Player, 'p')
      .addSelect('p.lockVersion')
      .where({ id })
      .getOneOrFail();
    if (before?.toLowerCase() === email) return undefined;
    const token = await this.undo.record(manager, { playerId: id, version }, before);
    // This step comes last, because registrations wait for an e-mail address that is not committed yet.
    await manager.update(Player, { id }, { email, withdrawPausedAt: currentDate() });
    return { replaced: before === null ? null : { mailbox: before, token } };
  }

  private notifyPreviousMailbox(
    { mailbox, token }: ReplacedMailbox,
    { id, account }: PlayerIdentity,
    email: string,
    { address }: RequestContext,
  ): void {
    // The token is in the fragment, so that it does not appear in logs.
    const query = new URLSearchParams({ account }).toString();
    const url = `${this.environment.FRONTEND_URL}/signin?${query}#undo=${token}`;
    const values = { account, email: maskEmail(email), address, time: new Date(), url };
    this.mail.notify({ id, email: mailbox }, EMAIL_CHANGED_MAIL, values);
  }
}

/** Masks the e-mail address so that its owner can still recognise it. */
function maskEmail(email: string): string {
  return email.replace(/^(.).*@/, '$1***@');
}
