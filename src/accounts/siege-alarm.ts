import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import type { Tally } from '../counters/tally.js';
import { MailUnavailable } from '../mail/mail.errors.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MailService } from '../mail/mail.service.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { Metrics } from '../metrics/metrics.js';
import type { Credentials } from './credentials-lookup.js';
import { subjectOf } from './login-throttle.js';
import { SIEGE_MAIL } from './siege-mail.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** Tells operations and the owner when strangers have locked an account by guessing. */
@Injectable()
export class SiegeAlarm {
  private readonly logger = new Logger(SiegeAlarm.name);
  private readonly logged: Tally;
  private readonly mailed: Tally;
  private readonly sieges: Counter;

  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly mail: MailService,
    private readonly queue: MailQueue,
    templates: MailTemplates,
    counters: Counters,
    { registry }: Metrics,
  ) {
    templates.follow(SIEGE_MAIL);
    this.logged = counters.tally('siege_log');
    this.mailed = counters.tally('siege_mail');
    this.sieges = new Counter({
      name: 'gatehouse_sieges_total',
      help: 'Accounts locked for all new addresses because strangers guessed passwords',
      registers: [registry],
    });
  }

  /** In the background: a guesser must not see by the time that the account has an owner. */
  tell(player: Credentials): void {
    this.sieges.inc();
    void this.report(player).catch((error: Error) =>
      this.logger.warn(`the siege of player ${player.id} was not told: ${error.message}`),
    );
  }

  private async report(player: Credentials): Promise<void> {
    const subject = subjectOf(player.id);
    if ((await this.logged.add(subject, 1, HOUR)).count === 1)
      this.logger.warn(`player ${player.id} is under siege: strangers guess at the password`);
    const { email, disabledAt } = player;
    if (!this.settings.current.mail.siege || !email || disabledAt) return;
    if ((await this.mailed.add(subject, 1, DAY)).count === 1)
      this.queue.add(() => this.mailTo(email, player));
  }

  private async mailTo(email: string, { id, account }: Credentials): Promise<void> {
    const minutes = Math.ceil(this.settings.current.login_throttle.account.lock / 60);
    const url = `${this.environment.FRONTEND_URL}/signin?mode=reset`;
    try {
      await this.mail.send(email, SIEGE_MAIL, { account, minutes, url }, id);
    } catch (error) {
      // Not if it may arrive: the owner gets one a day at most.
      if (!(error instanceof MailUnavailable && error.mayArrive))
        await this.mailed.clear(subjectOf(id));
      throw error;
    }
  }
}
