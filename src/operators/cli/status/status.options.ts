import { type Command, InvalidArgumentError } from 'commander';
import { addQuery, printReport, type QueryOptions } from '../command-options.js';
import { instanceUrl } from '../../../platform/config/host-list-url.js';

const NOTES = `
Shows whether each instance is ready, the state of its dependencies, its version and its mail.
Exits with 1 if an instance is not ready, a dependency is broken, versions differ, or
- mails of the last 10 minutes failed: all of them, or at least three and one in ten
- mails of the last 10 minutes were slow: at least three and one in ten took 3 seconds
- the event loop lagged by half a second in most of the last minute
Mail and event-loop figures come from /api/metrics, which responds only to addresses in metrics_ips.

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
      'URL of an instance, may be repeated; default: desk.instances in the settings, or the instance on this host',
      parseUrl,
    )
    .addHelpText('after', NOTES)
    .action(async ({ json, url }: QueryOptions & { url?: string[] }) => {
      const { configuredUrls, fleetStatus } = await import('./status.command.js');
      printReport(await fleetStatus(url ?? configuredUrls()), json);
    });
}

function parseUrl(text: string, others: string[] = []): string[] {
  const address = instanceUrl(text);
  if (address === undefined) throw new InvalidArgumentError(`"${text}" is not an http URL.`);
  return [...others, address];
}
