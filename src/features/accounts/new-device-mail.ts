import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, IsNull, Not, Repository } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { HOUR_MS } from '../../platform/config/time.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailUnavailable } from '../../platform/mail/mail.errors.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { describeDevice, parseUserAgent } from '../sessions/device.js';

const NEW_DEVICE_MAIL = {
  name: 'new-device',
  sample: {
    account: 'dragon_slayer',
    device: 'Safari 19, iOS 19, phone',
    address: '203.0.113.7',
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/account',
  },
  requiredValues: ['address', 'url'],
  isRoutine: true,
} satisfies MailKind;

/** Mails the owner about a sign-in from a new address, at most once an hour. */
@Injectable()
export class NewDeviceMail {
  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly mail: MailService,
    @InjectRepository(Player) private readonly players: Repository<Player>,
    private readonly rowQueue: RowQueue,
  ) {
    mail.register(NEW_DEVICE_MAIL);
  }

  /** Returns immediately, because a sign-in must not wait for the mail server. */
  announce(playerId: number, context: RequestContext): void {
    if (!this.settings.current.mail.new_device) return;
    const time = new Date();
    this.mail.enqueue(() => this.send(playerId, context, time));
  }

  private async send(playerId: number, context: RequestContext, time: Date): Promise<void> {
    const owner = await this.mail.findOwner(playerId);
    const now = new Date();
    if (!owner || !(await this.claim(playerId, now))) return;
    const { account } = owner.player;
    const device = describeDevice(parseUserAgent(context.userAgent));
    const url = `${this.environment.FRONTEND_URL}/account`;
    const values = { account, device, address: context.address, time, url };
    try {
      await this.mail.send(owner.email, NEW_DEVICE_MAIL, values, playerId);
    } catch (error) {
      // An e-mail that was not delivered must not suppress the next one.
      if (!(error instanceof MailUnavailable && error.mayArrive))
        await this.players.update(
          { id: playerId, newDeviceMailAt: now },
          { newDeviceMailAt: null },
        );
      throw error;
    }
  }

  /** Stores the time of the e-mail in the player's row, because instances do not always share their counters. */
  private async claim(id: number, now: Date): Promise<boolean> {
    const [anHourAgo, inAnHour] = [-HOUR_MS, HOUR_MS].map((ms) => new Date(now.getTime() + ms));
    // A stored time in the future comes from a skewed clock and must not suppress e-mails.
    const due = [IsNull(), Not(Between(anHourAgo!, inAnHour!))];
    const claim = this.players
      .createQueryBuilder()
      .update({ newDeviceMailAt: now })
      .where(due.map((newDeviceMailAt) => ({ id, newDeviceMailAt })));
    const { affected } = await this.rowQueue.run(`player ${id}`, () => claim.execute());
    return affected === 1;
  }
}
