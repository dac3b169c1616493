import { Injectable } from '@nestjs/common';
import type { Player } from '../../platform/auth/player.entity.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';

/** `links` is empty if there are none. */
const PASSWORD_RESET_MAIL = {
  name: 'reset',
  sample: {
    account: 'dragon_slayer',
    address: '203.0.113.7',
    time: '2026-11-15 12:00 UTC',
    links: 'forum 10293 (2026-11-14)',
  },
  requiredValues: ['account', 'links'],
} satisfies MailKind;

/** Mails the owner that the password was reset, and which third-party identities can still sign in. */
@Injectable()
export class PasswordResetNotice {
  constructor(private readonly mail: MailService) {
    mail.register(PASSWORD_RESET_MAIL);
  }

  /** Returns at once: the reset is done, whether or not the mail is sent. */
  send(player: Player, links: PlayerLink[], { address }: RequestContext): void {
    const { account } = player;
    const values = { account, address, time: formatMailTime(new Date()), links: describe(links) };
    this.mail.notify(player, PASSWORD_RESET_MAIL, values);
  }
}

function describe(links: PlayerLink[]): string {
  return links
    .map(({ provider, connectId, createdAt }) => {
      return `${provider} ${connectId} (${createdAt.toISOString().slice(0, 10)})`;
    })
    .join('; ');
}
