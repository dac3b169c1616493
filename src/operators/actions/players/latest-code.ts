import { Between, type DataSource } from 'typeorm';
import type { Player } from '../../../platform/auth/player.entity.js';
import { MailEvent } from '../../../platform/audit/mail-event.entity.js';
import { maskMailbox } from '../../../platform/audit/mask-mailbox.js';
import { CODE_VALID_SECONDS } from '../../../features/verify/code-rules.js';
import { VerificationCode } from '../../../features/verify/verification-code.entity.js';

// The code is stored right after the mail server accepted its mail.
const [MAX_BEFORE_MS, MAX_AFTER_MS] = [10_000, 1000];

export interface LatestCode {
  at: Date;
  /**
   * Its row of `mail_event`; undefined if the mailbox had no owner yet, or for half a second until the row is written.
   */
  mailId: number | undefined;
  facts: { used_at: string | null; tries: number };
}

/** The state of the newest code of a player's mailbox, while its row is kept. The code itself is not selected. */
export async function findLatestCode(
  dataSource: DataSource,
  { id, email }: Player,
): Promise<LatestCode | undefined> {
  if (email === null) return undefined;
  const row = await dataSource.manager.findOne(VerificationCode, {
    select: { email: true, expiresAt: true, usedAt: true, tries: true, triesOfOthers: true },
    where: { email },
  });
  if (!row) return undefined;
  const at = row.expiresAt.getTime() - CODE_VALID_SECONDS * 1000;
  const mail = await dataSource.manager.findOne(MailEvent, {
    where: {
      playerId: id,
      kind: 'code',
      outcome: 'sent',
      mailbox: maskMailbox(email),
      createdAt: Between(new Date(at - MAX_BEFORE_MS), new Date(at + MAX_AFTER_MS)),
    },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
  return {
    at: new Date(at),
    mailId: mail ? Number(mail.id) : undefined,
    facts: {
      used_at: row.usedAt?.toISOString() ?? null,
      tries: row.tries + row.triesOfOthers,
    },
  };
}
