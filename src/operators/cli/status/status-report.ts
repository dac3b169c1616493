import type { Report } from '../command.js';
import { terminalTable } from '../terminal-table.js';
import {
  fetchInstanceMetrics,
  type InstanceMetrics,
  NO_METRICS,
} from '../../actions/instances/instance-metrics.js';
import { areFailing, describeDeliveries } from '../../actions/instances/mail-deliveries.js';
import {
  fetchInstanceStatus,
  type InstanceStatus,
  versionsDiffer,
} from '../../actions/instances/instance-status.js';

const MAILS_FAIL = 'the mail server does not take its mails';

/** What the instances report about themselves. Ask each instance directly, not the web server in front. */
export async function fleetStatus(urls: string[]): Promise<Report> {
  const data = await Promise.all(urls.map(fetchInstance));
  const differ = versionsDiffer(data);
  const ok = data.every((one) => problemOf(one) === null) && !differ;
  const text = [
    terminalTable(
      [
        'instance',
        'ready',
        'ms',
        'version',
        'redis',
        'settings',
        'agreement',
        'templates',
        'loop',
        'slowest mail',
        'mails in an hour',
        'mails in 10 minutes',
        'problem',
      ],
      data.map((one) => [
        one.url,
        one.ready ? 'yes' : 'NO',
        one.ms,
        one.version,
        one.redis,
        one.settings,
        one.agreement,
        one.mail_templates,
        one.loop_ms === null ? null : `${one.loop_ms} ms`,
        one.slowest_mail === null ? null : `${one.slowest_mail.toFixed(1)} s`,
        describeMails(one),
        one.mails_last_10_minutes && describeDeliveries(one.mails_last_10_minutes),
        problemOf(one),
      ]),
    ),
    ...(differ ? ['They do not run the same version: finish the upgrade.'] : []),
  ];
  return { text: text.join('\n\n'), data, ok };
}

async function fetchInstance(url: string) {
  const status = await fetchInstanceStatus(url);
  const figures = status.ready ? await fetchInstanceMetrics(url) : NO_METRICS;
  return { ...status, ...(typeof figures === 'string' ? NO_METRICS : figures) };
}

function problemOf({
  problem,
  mails_last_10_minutes: deliveries,
}: InstanceStatus & InstanceMetrics): string | null {
  const mails = deliveries && areFailing(deliveries) ? MAILS_FAIL : null;
  return [problem, mails].filter((one) => one !== null).join(', ') || null;
}

function describeMails({ mails_last_hour: mails }: InstanceMetrics): string | null {
  return mails && `${mails.all}, ${mails.failed} failed, ${mails.slow} slow`;
}
