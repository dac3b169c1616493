import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { SLOW_MAIL_SECONDS } from '../../../platform/mail/mail-metrics.js';
import { verifySmtp } from '../../../platform/mail/smtp-transport.js';
import { areFailing, sumDeliveries } from '../../actions/instances/mail-deliveries.js';
import type { MailSummary } from '../responses/dashboard.js';

const EVERY_MS = 300_000;
const DOWN_EVERY_MS = 60_000;

type SmtpState = 'up' | 'down' | 'off' | 'unknown';
type MailFigures = Omit<MailSummary, 'state'>;

/** Whether mail works: what the mail server answers us, and the outcomes of all instances' mails. */
@Injectable()
export class DashboardMail {
  private readonly logger = new Logger(DashboardMail.name);
  private smtpState: SmtpState = 'unknown';
  private checkedAt = -Infinity;

  constructor(private readonly environment: Environment) {}

  load(instances: readonly MailFigures[]): MailSummary {
    const sums = sumFigures(instances);
    return { state: mailState(this.checkSmtp(), sums), ...sums };
  }

  /** Checked in the background, and only while somebody looks: it may take seconds. */
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

/** A server that answers us may still be slow with the players' mails, or refuse them. */
function mailState(
  server: SmtpState,
  { slowest_mail, mails_last_10_minutes: mails }: MailFigures,
): MailSummary['state'] {
  if (server === 'down' || server === 'off') return server;
  if (mails && areFailing(mails)) return 'failing';
  return (slowest_mail ?? 0) >= SLOW_MAIL_SECONDS ? 'slow' : server;
}
