import { Injectable } from '@nestjs/common';
import type { Player } from '../auth/player.entity.js';
import type { RequestContext } from '../http/request/request-context.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MailService } from '../mail/mail.service.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { mailTime } from '../mail/mail-time.js';
import { RESET_MAIL } from './reset-mail.js';

/** Tells the owner by mail that the password was reset, and which third-party identities can still sign in. */
@Injectable()
export class ResetNotice {
  constructor(
    private readonly mail: MailService,
    private readonly queue: MailQueue,
    templates: MailTemplates,
  ) {
    templates.follow(RESET_MAIL);
  }

  /** Returns at once: the reset is done, whatever becomes of the mail. */
  send({ id, account, email }: Player, links: PlayerLink[], { address }: RequestContext): void {
    const values = { account, address, time: mailTime(new Date()), links: describe(links) };
    this.queue.add(() => this.mail.send(email!, RESET_MAIL, values, id), { again: true });
  }
}

function describe(links: PlayerLink[]): string {
  return links
    .map(({ provider, connectId, createdAt }) => {
      return `${provider} ${connectId} (${createdAt.toISOString().slice(0, 10)})`;
    })
    .join('; ');
}
