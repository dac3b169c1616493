import { parseArgs } from 'node:util';
import { type Report, UsageError } from '../../command/command.js';
import { terminalTable } from '../../command/terminal-table.js';
import { statusOf } from '../instance-status.js';

export const USAGE = `gatehouse status --url <address of an instance> [--url <another> …]
                         asks each instance whether it is ready, what it stands on, which version runs, and how
                         long its slowest mail of the last ten minutes took
Exit code 1 if one is not ready, stands on something broken, or runs another version than the others. --json prints JSON.
"slowest mail" and "mails failed" (since its start) are from its metrics: run it from an address in metrics_ips.

Example
  gatehouse status --url http://127.0.0.1:3001 --url http://127.0.0.1:3002`;

/** What the instances of a fleet say of themselves. Ask each one itself, not the web server in front. */
export async function statusOfFleet(args: string[]): Promise<Report & { json: boolean }> {
  const { urls, json } = understand(args);
  const data = await Promise.all(urls.map((url) => statusOf(url, true)));
  const versions = new Set(data.flatMap(({ version }) => version ?? []));
  const ok = data.every(({ problem }) => problem === null) && versions.size <= 1;
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
        'slowest mail',
        'mails failed',
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
        one.slowest_mail === null ? null : `${one.slowest_mail.toFixed(1)} s`,
        one.failed_mails,
        one.problem,
      ]),
    ),
    ...(versions.size > 1 ? ['They do not run the same version: finish the upgrade.'] : []),
  ];
  return { text: text.join('\n\n'), data, ok, json };
}

function understand(args: string[]): { urls: string[]; json: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: { url: { type: 'string', multiple: true }, json: { type: 'boolean' } },
    });
    const { url: urls = [], json = false } = values;
    const addresses = urls.map((url) => (/^[\w.[\]:-]+:\d+$/.test(url) ? `http://${url}` : url));
    const bad = addresses.find((url) => !/^https?:\/\/[^\s/]/.test(url) || !URL.canParse(url));
    if (bad !== undefined) throw new Error(`"${bad}" is no http address`);
    if (urls.length === 0) throw new Error('name the instances: --url 127.0.0.1:3001');
    return { urls: addresses, json };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
