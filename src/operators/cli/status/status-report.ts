import { parseArgs } from 'node:util';
import { type Report, UsageError } from '../command.js';
import { terminalTable } from '../terminal-table.js';
import { instanceUrl } from '../../../platform/config/instance-url.js';
import {
  fetchInstanceMetrics,
  type InstanceMetrics,
  NO_METRICS,
} from '../../actions/instances/instance-metrics.js';
import { fetchInstanceStatus, versionsDiffer } from '../../actions/instances/instance-status.js';

export const USAGE = `gatehouse status [--url <address of an instance> --url <another> …]
                         asks each instance whether it is ready, what it stands on, which version runs, and how
                         its mails go; without --url those of desk.instances in the settings, else the one of this host
Exit code 1 if one is not ready, stands on something broken, or runs another version than the others. --json prints JSON.
"slowest mail" is of the last ten minutes. It, the mails of the last hour and the event loop ("loop": how long work waits
for it, 99 of 100 times less) are from its metrics: run it from an address in metrics_ips.

Example
  gatehouse status --url http://127.0.0.1:3001 --url http://127.0.0.1:3002`;

/** What the instances of a fleet say of themselves. Ask each one itself, not the web server in front. */
export async function fleetStatus(
  args: string[],
  defaultUrls: () => string[] = () => [],
): Promise<Report & { json: boolean }> {
  const { urls, json } = parseArguments(args, defaultUrls);
  const data = await Promise.all(urls.map(fetchInstance));
  const differ = versionsDiffer(data);
  const ok = data.every(({ problem }) => problem === null) && !differ;
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
        one.problem,
      ]),
    ),
    ...(differ ? ['They do not run the same version: finish the upgrade.'] : []),
  ];
  return { text: text.join('\n\n'), data, ok, json };
}

async function fetchInstance(url: string) {
  const status = await fetchInstanceStatus(url);
  const figures = status.ready ? await fetchInstanceMetrics(url) : NO_METRICS;
  return { ...status, ...(typeof figures === 'string' ? NO_METRICS : figures) };
}

function describeMails({ mails_last_hour: mails }: InstanceMetrics): string | null {
  return mails && `${mails.all}, ${mails.failed} failed, ${mails.slow} slow`;
}

function parseArguments(
  args: string[],
  defaultUrls: () => string[],
): { urls: string[]; json: boolean } {
  let given: { url?: string[]; json?: boolean };
  try {
    given = parseArgs({
      args,
      options: { url: { type: 'string', multiple: true }, json: { type: 'boolean' } },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { url = defaultUrls(), json = false } = given;
  if (url.length === 0) throw new UsageError('name the instances: --url 127.0.0.1:3001');
  const urls = url.map((text) => {
    const address = instanceUrl(text);
    if (address === undefined) throw new UsageError(`"${text}" is no http address`);
    return address;
  });
  return { urls, json };
}
