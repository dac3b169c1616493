import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService, type Owner } from '../../platform/mail/mail.service.js';
import { summarizeFactors } from './second-factors.js';

export interface FactorChange {
  /** `used` and `renewed` concern recovery codes, and `guessed` a lock after wrong codes. Operators cause `reset`. */
  event: 'added' | 'removed' | 'used' | 'renewed' | 'guessed' | 'reset';
  /** If the passkey's name is missing, the change concerns the authenticator app. */
  passkey?: string;
}

/**
 * Exactly one of the events has the value 1. `left` is the number of unused recovery codes, and `address` is empty for
 * a reset.
 */
const SECOND_FACTOR_MAIL: MailKind<
  { time: Date } & Record<'account' | 'passkey' | 'address' | 'url', string> &
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
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/account',
  },
  requiredValues: ['account', 'time', 'url'],
};

@Injectable()
export class SecondFactorMail {
  constructor(
    private readonly environment: Environment,
    private readonly mail: MailService,
    private readonly dataSource: DataSource,
  ) {
    mail.register(SECOND_FACTOR_MAIL);
  }

  /** Sends the e-mail in the background, because the change is already committed. */
  send(playerId: number, change: FactorChange, context: RequestContext): void {
    const now = new Date();
    this.mail.warnOwner(playerId, (owner) => this.sendTo(owner, change, now, context.address));
  }

  /** Waits until the e-mail is sent. Sends nothing if there is no mail server or the player has no e-mail address. */
  async deliver(playerId: number, change: FactorChange): Promise<void> {
    const owner = await this.mail.findOwner(playerId);
    if (owner) await this.sendTo(owner, change, new Date(), '');
  }

  private async sendTo(
    owner: Owner,
    { event, passkey = '' }: FactorChange,
    at: Date,
    address: string,
  ): Promise<void> {
    const { id: playerId } = owner.player;
    const { recoveryCodesLeft: left } = await summarizeFactors(this.dataSource.manager, playerId);
    const url = `${this.environment.FRONTEND_URL}/account`;
    const none = { added: 0, removed: 0, used: 0, renewed: 0, guessed: 0, reset: 0 };
    const told = { passkey, left, address, time: at, url };
    const values = { account: owner.player.account, ...none, [event]: 1, ...told };
    await this.mail.send(owner.email, SECOND_FACTOR_MAIL, values, playerId);
  }
}
