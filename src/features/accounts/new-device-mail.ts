import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { Counters } from '../../platform/counters/counters.js';
import type { SharedCounter } from '../../platform/counters/shared-counter.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailUnavailable } from '../../platform/mail/mail.errors.js';
import { MailQueue } from '../../platform/mail/mail-queue.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { MailTemplates } from '../../platform/mail/mail-templates.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import { describeDevice, parseUserAgent } from '../sessions/device.js';

const HOUR = 60 * 60;

const NEW_DEVICE_MAIL: MailKind<Record<'account' | 'device' | 'address' | 'time' | 'url', string>> =
  {
    name: 'new-device',
    sample: {
      account: 'dragon_slayer',
      device: 'Safari 19, iOS 19, phone',
      address: '203.0.113.7',
      time: '2026-01-31 23:59 UTC',
      url: 'https://play.example.com/account',
    },
    requiredValues: ['address', 'url'],
  };

/** Tells the owner of an account that it was signed in from a new address, once an hour at most. */
@Injectable()
export class NewDeviceMail {
  private readonly sent: SharedCounter;

  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly mail: MailService,
    private readonly queue: MailQueue,
    @InjectRepository(Player) private readonly players: Repository<Player>,
    templates: MailTemplates,
    counters: Counters,
  ) {
    templates.register(NEW_DEVICE_MAIL);
    this.sent = counters.create('new_device_mail');
  }

  /** Returns at once: no sign-in waits for the mail server. */
  announce(playerId: number, context: RequestContext): void {
    if (!this.settings.current.mail.new_device || !this.environment.SMTP_URL) return;
    const time = formatMailTime(new Date());
    this.queue.add(() => this.send(playerId, context, time));
  }

  private async send(playerId: number, context: RequestContext, time: string): Promise<void> {
    const player = await this.players.findOneBy({ id: playerId });
    if (!player?.email) return;
    const { count } = await this.sent.add(String(playerId), 1, HOUR);
    if (count > 1) return;
    const { account, email } = player;
    const device = describeDevice(parseUserAgent(context.userAgent));
    const url = `${this.environment.FRONTEND_URL}/account`;
    const values = { account, device, address: context.address, time, url };
    try {
      await this.mail.send(email, NEW_DEVICE_MAIL, values, playerId);
    } catch (error) {
      // Otherwise the next one would be kept back for a mail that nobody has got.
      if (!(error instanceof MailUnavailable && error.mayArrive))
        await this.sent.undoAdd(String(playerId), 1, HOUR);
      throw error;
    }
  }
}
