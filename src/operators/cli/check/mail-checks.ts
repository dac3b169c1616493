import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { verifySmtp } from '../../../platform/mail/smtp-transport.js';
import {
  configuredInstances,
  fetchInstanceMetrics,
  areFailing,
  describeDeliveries,
} from '../../actions/instances/instance-metrics.js';
import { type CheckResult, passed, info, failed } from './check-result.js';

const SLOW_MAIL_MS = 3000;

@Injectable()
export class MailChecks {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** Connects and signs in, but sends no e-mail. */
  async server(): Promise<CheckResult[]> {
    const { SMTP_URL } = this.environment;
    if (!SMTP_URL)
      return this.environment.embedded
        ? [info('mail', 'SMTP_URL is not set: the sandbox takes the mails')]
        : [failed('mail', 'SMTP_URL is not set: nobody can register')];
    const started = performance.now();
    await verifySmtp(SMTP_URL);
    const ms = Math.round(performance.now() - started);
    return ms > SLOW_MAIL_MS
      ? [failed('mail', `the mail server answers slowly: ${ms} ms`)]
      : [passed('mail', `the mail server answers in ${ms} ms`)];
  }

  /** Checks deliveries too, because a mail server that responds may still reject every message to players. */
  async deliveries(): Promise<CheckResult[]> {
    const instances = configuredInstances(this.environment, this.settings.current);
    const found = await Promise.all(instances.map(({ url }) => deliveriesOf(url)));
    return found.length > 0 ? found : [info('mails', 'no instance is named in desk.instances')];
  }
}

async function deliveriesOf(url: string): Promise<CheckResult> {
  const metrics = await fetchInstanceMetrics(url);
  if (metrics === 'no_answer')
    return failed('instance', `${url} does not answer: start it, or read its log`);
  const deliveries = metrics === 'refused' ? null : metrics.mails_last_10_minutes;
  if (!deliveries)
    return info(
      'mails',
      `cannot read the mail metrics of ${url}: add this machine's address to metrics_ips`,
    );
  const text = `${url}, last 10 minutes: ${describeDeliveries(deliveries)}`;
  if (metrics !== 'refused' && metrics.mail_is_slow)
    return failed('mails', `${text}, slow: gatehouse events mails`);
  return areFailing(deliveries)
    ? failed('mails', `${text}; the log says at which step: "did not take a message"`)
    : Object.keys(deliveries.failed).length > 0
      ? info('mails', text)
      : passed('mails', text);
}
