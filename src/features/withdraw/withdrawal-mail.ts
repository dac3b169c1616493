import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService, type Owner } from '../../platform/mail/mail.service.js';
import { ServersService } from '../servers/servers.service.js';
import type { WithdrawalStatus } from './record/withdrawal-status.js';
import { Withdrawal } from './record/withdrawal.entity.js';

const MAILED_STATUSES: WithdrawalStatus[] = ['succeeded', 'unknown'];

/** Translates the same currencies as the pages do. Any other name is shown as the operator wrote it. */
const CHINESE_NAMES: Record<string, string> = { yuanbao: '元宝' };

const WITHDRAWAL_MAIL = {
  name: 'withdrawal',
  sample: {
    account: 'dragon_slayer',
    amount: 500,
    currency: 'yuanbao',
    currency_zh: '元宝',
    /** The destination is empty if the operator does not say where the amount goes. */
    destination: 'your balance in the shop',
    destination_zh: '商城余额',
    server: 'Dragon Valley',
    role: 'Azure',
    number: 1024,
    /** The game server received this order number. It is empty if nothing was sent. */
    order: '01J9ZC3M8W2V7K5T4R6Q1N0PXY',
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/withdraw',
    /** If this is 1, the e-mail says that the outcome is still being checked. */
    unknown: 1,
  },
  requiredValues: ['account', 'amount', 'server', 'role', 'number'],
} satisfies MailKind;

/** Mails the owner once about a withdrawal that succeeded or whose outcome is unknown. */
@Injectable()
export class WithdrawalMail {
  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly mail: MailService,
    private readonly servers: ServersService,
    @InjectRepository(Withdrawal) private readonly withdrawals: Repository<Withdrawal>,
  ) {
    mail.register(WITHDRAWAL_MAIL);
  }

  /** Sends the e-mail in the background, so that a withdrawal neither waits for the e-mail nor fails with it. */
  announce(withdrawal: Withdrawal): void {
    if (!this.settings.current.mail.withdrawal || !this.environment.SMTP_URL) return;
    if (!MAILED_STATUSES.includes(withdrawal.status)) return;
    let isClaimed = false;
    this.mail.warnOwner(withdrawal.playerId, async (owner) => {
      isClaimed ||= await this.claim(withdrawal);
      if (isClaimed) await this.send(owner, withdrawal);
    });
  }

  /** Claims the e-mail in the row, because another instance's sweeper may try to send the same e-mail. */
  private async claim({ id, playerId }: Withdrawal): Promise<boolean> {
    const unmailed = { id, playerId, mailedAt: IsNull(), status: In(MAILED_STATUSES) };
    return (await this.withdrawals.update(unmailed, { mailedAt: new Date() })).affected === 1;
  }

  private async send({ player, email }: Owner, withdrawal: Withdrawal): Promise<void> {
    const { id, serverId, amount, roleName: role, createdAt, status } = withdrawal;
    const { currency, destination } = this.settings.current.withdraw;
    const server = await this.servers.find(serverId);
    const values = {
      account: player.account,
      amount,
      currency,
      currency_zh: CHINESE_NAMES[currency] ?? currency,
      destination: destination?.en ?? '',
      destination_zh: destination?.zh ?? '',
      server: server?.name ?? String(serverId),
      role,
      number: id,
      order: withdrawal.orderNo ?? '',
      time: createdAt,
      url: `${this.environment.FRONTEND_URL}/withdraw`,
      unknown: status === 'unknown' ? 1 : 0,
    };
    await this.mail.send(email, WITHDRAWAL_MAIL, values, player.id);
  }
}
