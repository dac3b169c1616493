import { type Command, InvalidArgumentError } from 'commander';
import { addQuery, type QueryOptions } from '../arguments.js';
import { printReport } from '../command.js';
import { instanceUrl } from '../../../platform/config/instance-url.js';

const NOTES = `
Says whether each instance is ready, what it stands on, which version runs, and how its mails go.
Exit code 1 if one is not ready, stands on something broken, or runs another version than the others.
"slowest mail" is of the last ten minutes. It, the mails of the last hour and the event loop ("loop": how long work waits
for it, 99 of 100 times less) are from its metrics: run it from an address in metrics_ips.

Example
  gatehouse status --url http://127.0.0.1:3001 --url http://127.0.0.1:3002`;

export function registerStatus(program: Command): void {
  addQuery(
    program,
    'status',
    'asks running instances whether they are ready, and which version they are',
  )
    .option(
      '--url <address>',
      'of an instance, may be repeated; default: desk.instances in the settings, else the one of this host',
      parseUrl,
    )
    .addHelpText('after', NOTES)
    .action(async ({ json, url }: QueryOptions & { url?: string[] }) => {
      const { configuredUrls } = await import('./configured-urls.js');
      const { fleetStatus } = await import('./status-report.js');
      printReport(await fleetStatus(url ?? configuredUrls()), json);
    });
}

function parseUrl(text: string, others: string[] = []): string[] {
  const address = instanceUrl(text);
  if (address === undefined) throw new InvalidArgumentError(`"${text}" is no http address.`);
  return [...others, address];
}
