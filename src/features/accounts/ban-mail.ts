import { Injectable } from '@nestjs/common';
import type { PlayerBan } from '../../platform/auth/player-ban.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';

/**
 * `withdrawals`: 1 if only withdrawals are banned. `until` is empty for a permanent ban, `support` without a support
 * address.
 */
const BAN_MAIL = {
  name: 'ban',
  sample: {
    account: 'dragon_slayer',
    withdrawals: 0,
    reason: 'botting',
    until: '2026-12-01 00:00 UTC',
    support: 'https://game.example/support',
  },
  requiredValues: ['account', 'reason', 'until'],
} satisfies MailKind;

/** Mails the owner of a banned account the reason and the end. */
@Injectable()
export class BanMail {
  constructor(
    private readonly settings: Settings,
    private readonly mail: MailService,
  ) {
    mail.register(BAN_MAIL);
  }

  /** Returns at once. */
  send(ban: PlayerBan): void {
    this.mail.enqueue(() => this.deliver(ban), { again: true });
  }

  private async deliver({ playerId, scope, reason, until }: PlayerBan): Promise<void> {
    const owner = await this.mail.findOwner(playerId);
    if (!owner) return;
    const values = {
      account: owner.player.account,
      withdrawals: scope === 'withdraw' ? 1 : 0,
      reason,
      until: until ? formatMailTime(until) : '',
      support: this.settings.current.support_url ?? '',
    };
    await this.mail.send(owner.email, BAN_MAIL, values, playerId);
  }
}
