import { Injectable } from '@nestjs/common';
import type { Player } from '../../platform/auth/player.entity.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { MailQueue } from '../../platform/mail/mail-queue.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { MailTemplates } from '../../platform/mail/mail-templates.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import { PASSWORD_RESET_MAIL } from './password-reset-mail.js';

/** Mails the owner that the password was reset, and which third-party identities can still sign in. */
@Injectable()
export class PasswordResetNotice {
  constructor(
    private readonly mail: MailService,
    private readonly queue: MailQueue,
    templates: MailTemplates,
  ) {
    templates.register(PASSWORD_RESET_MAIL);
  }

  /** Returns at once: the reset is done, whether or not the mail is sent. */
  send({ id, account, email }: Player, links: PlayerLink[], { address }: RequestContext): void {
    const values = { account, address, time: formatMailTime(new Date()), links: describe(links) };
    this.queue.add(() => this.mail.send(email!, PASSWORD_RESET_MAIL, values, id), { again: true });
  }
}

function describe(links: PlayerLink[]): string {
  return links
    .map(({ provider, connectId, createdAt }) => {
      return `${provider} ${connectId} (${createdAt.toISOString().slice(0, 10)})`;
    })
    .join('; ');
}
