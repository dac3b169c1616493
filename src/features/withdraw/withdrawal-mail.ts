import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import type { WithdrawalStatus } from './record/withdrawal-status.js';
import { Withdrawal } from './record/withdrawal.entity.js';

const MAILED_STATUSES: WithdrawalStatus[] = ['succeeded', 'unknown'];

const WITHDRAWAL_MAIL = {
  name: 'withdrawal',
  sample: {
    account: 'dragon_slayer',
    amount: 500,
    currency: 'yuanbao',
    role: 'Azure',
    time: '2026-01-31 23:59 UTC',
    url: 'https://play.example.com/withdraw',
    /** 1: the outcome is being checked. */
    unknown: 1,
  },
  requiredValues: ['account', 'amount', 'role'],
} satisfies MailKind;

/** Mails the owner, once, about a withdrawal that succeeded or whose outcome is unknown. */
@Injectable()
export class WithdrawalMail {
  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly mail: MailService,
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
  ) {
    mail.register(WITHDRAWAL_MAIL);
  }

  /** Returns at once: a withdrawal neither waits for the mail nor fails with it. */
  announce(withdrawal: Withdrawal): void {
    if (!this.settings.current.mail.withdrawal || !this.environment.SMTP_URL) return;
    if (!MAILED_STATUSES.includes(withdrawal.status)) return;
    let isClaimed = false;
    const send = async () => {
      isClaimed ||= await this.claim(withdrawal);
      if (isClaimed) await this.send(withdrawal);
    };
    this.mail.enqueue(send, { again: true });
  }

  /** Stored in the row, because the instance that sent the command and another one's sweeper may both send it. */
  private async claim({ id, playerId }: Withdrawal): Promise<boolean> {
    const unmailed = { id, playerId, mailedAt: IsNull(), status: In(MAILED_STATUSES) };
    return (await this.withdrawals.update(unmailed, { mailedAt: new Date() })).affected === 1;
  }

  private async send(withdrawal: Withdrawal): Promise<void> {
    const { playerId, amount, roleName: role, createdAt, status } = withdrawal;
    const owner = await this.mail.findOwner(playerId);
    if (!owner) return;
    const values = {
      account: owner.player.account,
      amount,
      currency: this.settings.current.withdraw.currency,
      role,
      time: formatMailTime(createdAt),
      url: `${this.environment.FRONTEND_URL}/withdraw`,
      unknown: status === 'unknown' ? 1 : 0,
    };
    await this.mail.send(owner.email, WITHDRAWAL_MAIL, values, playerId);
  }
}
