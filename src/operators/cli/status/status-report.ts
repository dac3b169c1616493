import type { Report } from '../command.js';
import { listTable } from '../terminal-table.js';
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

const MAILS_FAIL = 'too many mails fail';

/** What the instances report about themselves. Ask each instance directly, not the web server in front. */
export async function fleetStatus(urls: string[]): Promise<Report> {
  const data = await Promise.all(urls.map(fetchInstance));
  const differ = versionsDiffer(data);
  const ok = data.every(({ problem }) => problem === null) && !differ;
  const text = [
    listTable(data, {
      instance: (one) => one.url,
      ready: (one) => (one.ready ? 'yes' : 'NO'),
      ms: (one) => one.ms,
      version: (one) => one.version,
      redis: (one) => one.redis,
      settings: (one) => one.settings,
      agreement: (one) => one.agreement,
      templates: (one) => one.mail_templates,
      loop: ({ loop_ms: loop }) => (loop === null ? null : `${loop} ms`),
      'slowest mail': ({ slowest_mail: slowest }) =>
        slowest === null ? null : `${slowest.toFixed(1)} s`,
      'mails in 10 minutes': ({ mails_last_10_minutes: mails }) =>
        mails && describeDeliveries(mails),
      problem: ({ problem }) => problem,
    }),
    ...(differ ? ['They do not run the same version: finish the upgrade.'] : []),
  ];
  return { text: text.join('\n\n'), data, ok };
}

async function fetchInstance(url: string) {
  const status = await fetchInstanceStatus(url);
  const figures = status.ready ? await fetchInstanceMetrics(url) : NO_METRICS;
  const one = { ...status, ...(typeof figures === 'string' ? NO_METRICS : figures) };
  return { ...one, problem: problemOf(one) };
}

function problemOf({
  problem,
  mails_last_10_minutes: deliveries,
}: InstanceStatus & InstanceMetrics): string | null {
  const mails = deliveries && areFailing(deliveries) ? MAILS_FAIL : null;
  return [problem, mails].filter((one) => one !== null).join(', ') || null;
}
