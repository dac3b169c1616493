import { Injectable } from '@nestjs/common';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { maskMailbox } from '../../../platform/audit/mail-event-log.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { currentDate } from '../../../platform/database/database-clock.js';
import { EMAIL_RULES, textProblem } from '../../../platform/http/validation/field.decorator.js';
import type { MailKind } from '../../../platform/mail/mail-templates.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { PasswordRules } from '../../../features/accounts/password-rules.js';
import { Passwords } from '../../../features/accounts/passwords.js';
import { MailboxUndo } from '../../../features/profile/mailbox-undo.service.js';
import { removeAllFactors } from '../../../features/second-factor/factor-changes.js';
import { SecondFactorMail } from '../../../features/second-factor/second-factor-mail.js';
import {
  type FactorSummary,
  summarizeFactors,
} from '../../../features/second-factor/second-factors.js';
import { ActionRefused, refuseIfInvalid } from '../action-refused.js';
import { PlayerActions } from './player-actions.js';

/** `email` is the new e-mail address, or empty if the password was set. `support` may be empty. */
const SUPPORT_MAIL = {
  name: 'support',
  sample: {
    account: 'dragon_slayer',
    email: 'p•••@example.com',
    time: new Date('2026-01-31T23:59:00Z'),
    support: 'https://game.example/support',
  },
  requiredValues: ['account', 'email', 'time'],
} satisfies MailKind;

/**
 * Changes a player's credentials on behalf of operators. The person who asks an operator for the change may be a thief,
 * so each change pauses withdrawals and notifies the owner by e-mail. Each method returns why an e-mail failed, if one
 * did. The change is done even if an e-mail fails.
 */
@Injectable()
export class PlayerCredentials {
  constructor(
    private readonly actions: PlayerActions,
    private readonly passwords: Passwords,
    private readonly passwordRules: PasswordRules,
    private readonly settings: Settings,
    private readonly mail: MailService,
    private readonly secondFactorMail: SecondFactorMail,
  ) {
    mail.register(SUPPORT_MAIL);
  }

  /** Sets the e-mail address and notifies the previous address too, which may be the owner's. */
  async setEmail(who: Attribution, id: number, given: string): Promise<string | undefined> {
    const email = given.toLowerCase();
    refuseIfInvalid('the mailbox', textProblem(email, EMAIL_RULES));
    const act = 'player.set-email';
    const before = await this.actions.change(who, act, id, async (manager, player) => {
      await manager.delete(MailboxUndo, { playerId: id });
      // This step comes last, because registrations wait for an e-mail address that is not committed yet.
      await manager.update(Player, { id }, { email, withdrawPausedAt: currentDate() });
      return { before: { email: player.email }, after: { email } };
    });
    return this.notify(before, [before.email, email], maskMailbox(email));
  }

  async setPassword(who: Attribution, id: number, password: string): Promise<string | undefined> {
    const act = 'player.set-password';
    const player = await this.actions.change(who, act, id, async (manager, before) => {
      refuseIfInvalid('the password', this.passwordRules.problemOf(password, before));
      const changed = { password: this.passwords.hash(password), imported: false };
      await manager.update(Player, { id }, { ...changed, withdrawPausedAt: currentDate() });
      return this.actions.endTokens(manager, before);
    });
    return this.notify(player, [player.email]);
  }

  async resetSecondFactor(who: Attribution, id: number): Promise<string | undefined> {
    const act = 'player.reset-second-factor';
    await this.actions.runAction(who, act, id, async (manager, player) => {
      if (!player.hasSecondFactor) throw new ActionRefused(`player ${id} has no second factor`);
      const before = toAuditState(await summarizeFactors(manager, id));
      await removeAllFactors(manager, id);
      return { before, after: { totp: false, passkeys: [], recovery_codes_left: 0 } };
    });
    return findFailure([this.secondFactorMail.deliver(id, { event: 'reset' })]);
  }

  private notify(
    { id, account }: Player,
    mailboxes: Array<string | null>,
    newMailbox = '',
  ): Promise<string | undefined> {
    const support = this.settings.current.support_url ?? '';
    const values = { account, email: newMailbox, time: currentDate(), support };
    const recipients = [...new Set(mailboxes)].filter((mailbox) => mailbox !== null);
    return findFailure(recipients.map((to) => this.mail.send(to, SUPPORT_MAIL, values, id)));
  }
}

/** Waits for all e-mails, because the process may exit afterwards. */
async function findFailure(mails: Array<Promise<void>>): Promise<string | undefined> {
  const failed = (await Promise.allSettled(mails)).find(({ status }) => status === 'rejected');
  return failed && ((failed as PromiseRejectedResult).reason as Error).message;
}

function toAuditState({ totp, passkeys, recoveryCodesLeft }: FactorSummary) {
  return {
    totp,
    passkeys: passkeys.map(({ name }) => name),
    recovery_codes_left: recoveryCodesLeft,
  };
}
