import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { verifySmtp } from '../../../platform/mail/smtp-transport.js';
import {
  areFailing,
  type InstanceMetrics,
  sumDeliveries,
} from '../../actions/instances/instance-metrics.js';

const EVERY_MS = 300_000;
const DOWN_EVERY_MS = 60_000;

type SmtpState = 'up' | 'down' | 'off' | 'unknown';
type MailFigures = Pick<InstanceMetrics, 'slowest_mail' | 'mails_last_10_minutes'>;
type InstanceMails = MailFigures & Pick<InstanceMetrics, 'mail_is_slow'>;

export interface MailSummary extends MailFigures {
  state: SmtpState | 'failing' | 'slow';
}

/** Reports whether mail works, based on the mail server's response and on all instances' deliveries. */
@Injectable()
export class DashboardMail {
  private readonly logger = new Logger(DashboardMail.name);
  private smtpState: SmtpState = 'unknown';
  private checkedAt = -Infinity;

  constructor(private readonly environment: Environment) {}

  load(instances: readonly InstanceMails[]): MailSummary {
    const sums = sumFigures(instances);
    const isSlow = instances.some(({ mail_is_slow }) => mail_is_slow);
    return { state: mailState(this.checkSmtp(), sums, isSlow), ...sums };
  }

  /** Checks the mail server in the background while the page is open, because the check may take seconds. */
  private checkSmtp(): SmtpState {
    const { SMTP_URL } = this.environment;
    if (!SMTP_URL) return 'off';
    const every = this.smtpState === 'up' ? EVERY_MS : DOWN_EVERY_MS;
    if (performance.now() - this.checkedAt > every) {
      this.checkedAt = performance.now();
      void verifySmtp(SMTP_URL)
        .then(() => (this.smtpState = 'up'))
        .catch((error: Error) => {
          this.smtpState = 'down';
          this.logger.warn(error.message);
        });
    }
    return this.smtpState;
  }
}

function sumFigures(instances: readonly MailFigures[]): MailFigures {
  const slowest = instances.flatMap(({ slowest_mail }) => slowest_mail ?? []);
  const mails = instances.flatMap(({ mails_last_10_minutes: each }) => each ?? []);
  return {
    slowest_mail: slowest.length > 0 ? Math.max(...slowest) : null,
    mails_last_10_minutes: mails.length > 0 ? sumDeliveries(mails) : null,
  };
}

/** Also checks deliveries, because a mail server that responds may still be slow or reject players' e-mails. */
function mailState(
  server: SmtpState,
  { mails_last_10_minutes: mails }: MailFigures,
  isSlow: boolean,
): MailSummary['state'] {
  if (server === 'down' || server === 'off') return server;
  if (mails && areFailing(mails)) return 'failing';
  return isSlow ? 'slow' : server;
}
