import { type EntityManager, MoreThan } from 'typeorm';
import { MailboxUndo } from '../../../features/profile/mailbox-undo.entity.js';
import { maskMailbox } from '../../../platform/audit/mask-mailbox.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import { EMAIL_RULES } from '../../../platform/http/validation/email-field.decorator.js';
import { textProblem } from '../../../platform/http/validation/field-rules.js';
import { ActionRefused, refuseIfInvalid } from '../action-refused.js';

/**
 * The mailbox through which the owner of a stolen account sets a new password. One that was changed a short time ago
 * may be the thief's, so the operator must name another.
 */
export async function securedMailbox(
  manager: EntityManager,
  { id, account, email }: Player,
  given: string | undefined,
): Promise<string> {
  const mailbox = given?.toLowerCase() ?? email;
  if (mailbox === null)
    throw new ActionRefused(`${account} has no mailbox: without one the owner cannot come back`);
  if (given !== undefined) refuseIfInvalid('the mailbox', textProblem(mailbox, EMAIL_RULES));
  const replaced = mailbox === email ? await findReplacedMailbox(manager, id) : null;
  if (replaced !== null)
    throw new ActionRefused(
      `the mailbox of ${account} changed within 72 hours, from ${replaced}: name the owner's, not the new one`,
    );
  return mailbox;
}

/** The one before the changes of the last 72 hours, masked. */
export async function findReplacedMailbox(
  manager: EntityManager,
  playerId: number,
): Promise<string | null> {
  const replaced = await manager.findOne(MailboxUndo, {
    where: { playerId, expiresAt: MoreThan(new Date()) },
    order: { version: 'ASC' },
  });
  return replaced && maskMailbox(replaced.email);
}
