import { Injectable } from '@nestjs/common';
import type { Player } from '../auth/player.entity.js';
import type { RequestContext } from '../http/request/request-context.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { requestLog } from '../log/log.js';
import { MailService } from '../mail/mail.service.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { RESET_MAIL } from './reset-mail.js';

/** Tells the owner by mail that the password was reset, and which third-party identities can still sign in. */
@Injectable()
export class ResetNotice {
  constructor(
    private readonly mail: MailService,
    templates: MailTemplates,
  ) {
    templates.follow(RESET_MAIL);
  }

  /** In the background: the reset is done, whatever becomes of the mail. */
  send({ account, email }: Player, links: PlayerLink[], context: RequestContext): void {
    const { address, requestId } = context;
    const values = { account, address, time: minuteOf(new Date()), links: describe(links) };
    void this.mail
      .send(email!, RESET_MAIL, values)
      .catch((error: Error) =>
        requestLog(requestId, ResetNotice.name).warn(
          `a reset was not told by mail: ${error.message}`,
        ),
      );
  }
}

function describe(links: PlayerLink[]): string {
  return links
    .map(({ provider, connectId, createdAt }) => {
      return `${provider} ${connectId} (${createdAt.toISOString().slice(0, 10)})`;
    })
    .join('; ');
}

function minuteOf(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
