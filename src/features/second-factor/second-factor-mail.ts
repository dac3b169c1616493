import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { summarizeFactors } from './factor-summary.js';

export interface FactorChange {
  /** `used`, `renewed`: recovery codes. `guessed`: wrong ones have locked it. `reset`: by operators. */
  event: 'added' | 'removed' | 'used' | 'renewed' | 'guessed' | 'reset';
  /** The name of a passkey; else it is the authenticator app. */
  passkey?: string;
}

/** One of the events is 1. `left` counts unused recovery codes; `address` is empty for a reset. */
const SECOND_FACTOR_MAIL: MailKind<
  Record<'account' | 'passkey' | 'address' | 'time' | 'url', string> &
    Record<FactorChange['event'] | 'left', number>
> = {
  name: 'second-factor',
  sample: {
    account: 'dragon_slayer',
    added: 1,
    removed: 0,
    used: 0,
    renewed: 0,
    guessed: 0,
    reset: 0,
    passkey: 'phone',
    left: 9,
    address: '203.0.113.7',
    time: '2026-01-31 23:59 UTC',
    url: 'https://play.example.com/account',
  },
  requiredValues: ['account', 'time', 'url'],
  isCapped: true,
};

/** Mails the owner about changed or guessed second factors and recovery codes. */
@Injectable()
export class SecondFactorMail {
  constructor(
    private readonly environment: Environment,
    private readonly mail: MailService,
    private readonly dataSource: DataSource,
  ) {
    mail.register(SECOND_FACTOR_MAIL);
  }

  /** Returns at once: the change is done, whatever becomes of the mail. */
  send(playerId: number, change: FactorChange, context: RequestContext): void {
    const now = new Date();
    this.mail.enqueue(() => this.deliver(playerId, change, now, context.address), { again: true });
  }

  /** Waits for the mail server; nothing is sent where there is none, or no mailbox. */
  async deliver(
    playerId: number,
    { event, passkey = '' }: FactorChange,
    at = new Date(),
    address = '',
  ): Promise<void> {
    const owner = await this.mail.findOwner(playerId);
    if (!owner) return;
    const { recoveryCodesLeft: left } = await summarizeFactors(this.dataSource.manager, playerId);
    const time = formatMailTime(at);
    const url = `${this.environment.FRONTEND_URL}/account`;
    const none = { added: 0, removed: 0, used: 0, renewed: 0, guessed: 0, reset: 0 };
    const told = { passkey, left, address, time, url };
    const values = { account: owner.player.account, ...none, [event]: 1, ...told };
    await this.mail.send(owner.email, SECOND_FACTOR_MAIL, values, playerId);
  }
}
