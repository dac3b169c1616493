import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { Counters, type SharedCounter } from '../../platform/counters/counters.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailUnavailable } from '../../platform/mail/mail.errors.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { StoredCredentials } from './credentials.service.js';
import { throttleSubject } from './login-throttle.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

const GUESSING_MAIL = {
  name: 'siege',
  sample: { account: 'dragon_slayer', minutes: 15, url: 'https://game.example/signin' },
  requiredValues: ['account', 'url'],
  isRoutine: true,
} satisfies MailKind;

/** Alerts the operators and the owner when failed logins have locked an account. */
@Injectable()
export class GuessingAlert {
  private readonly logger = new Logger(GuessingAlert.name);
  private readonly logged: SharedCounter;
  private readonly mailed: SharedCounter;
  private readonly alerts: Counter;

  constructor(
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly mail: MailService,
    counters: Counters,
    metrics: Metrics,
  ) {
    mail.register(GUESSING_MAIL);
    this.logged = counters.create('guessing_log');
    this.mailed = counters.create('guessing_mail');
    this.alerts = metrics.counter(
      'gatehouse_guessing_alerts_total',
      'Accounts locked for all new addresses because strangers guessed passwords',
    );
  }

  /** Sends the alerts in the background, so that the response time does not reveal whether the account exists. */
  notify(player: StoredCredentials): void {
    this.alerts.inc();
    void this.report(player).catch((error: Error) =>
      this.logger.warn(
        `cannot report that passwords of player ${player.id} are being guessed: ${error.message}`,
      ),
    );
  }

  private async report(player: StoredCredentials): Promise<void> {
    const subject = throttleSubject(player.id);
    if ((await this.logged.add(subject, 1, HOUR)).count === 1)
      this.logger.warn(`player ${player.id}: many wrong passwords from unknown addresses`);
    const { email, disabledAt, ban } = player;
    if (!this.settings.current.mail.siege || !email || disabledAt || ban) return;
    if ((await this.mailed.add(subject, 1, DAY)).count === 1)
      this.mail.enqueue(() => this.sendMail(email, player));
  }

  private async sendMail(email: string, { id, account }: StoredCredentials): Promise<void> {
    const minutes = Math.ceil(this.settings.current.login_throttle.account.lock / 60);
    const url = `${this.environment.FRONTEND_URL}/signin?mode=reset`;
    try {
      await this.mail.send(email, GUESSING_MAIL, { account, minutes, url }, id);
    } catch (error) {
      // An e-mail that may still arrive counts, because the owner gets at most one per day.
      if (!(error instanceof MailUnavailable && error.mayArrive))
        await this.mailed.clear(throttleSubject(id));
      throw error;
    }
  }
}
