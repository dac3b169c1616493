import { type Command, InvalidArgumentError } from 'commander';
import { addList, addQuery, parseSince } from '../arguments.js';
import { callMethod, type Runner } from '../command.js';
import { inCommandContext } from '../in-command-context.js';
import { isRequestId } from '../../../platform/http/request/request-id.js';
import type { EventsCommand } from './events.command.js';

const SINCE = '30m, 2h, 1d … or a time in UTC';
const NOTES = `
Of one player: gatehouse player logins

Examples
  gatehouse events guesses --since 30m
  gatehouse events audit --subject "server 12"
  gatehouse events audit --act settings.change --since 1d`;

const runEvents: Runner<EventsCommand> = inCommandContext(async () => {
  const { EventsCommandModule } = await import('./events-command.module.js');
  const { EventsCommand: handler } = await import('./events.command.js');
  return { module: EventsCommandModule, handler };
});

export function registerEvents(program: Command, run = runEvents): void {
  const call = callMethod(run);
  const events = program
    .command('events')
    .description('sign-ins, guesses, registrations an hour, and what operators did')
    .addHelpText('after', NOTES);
  addList(events, 'logins', 'sign-ins of the last hour, or of an address')
    .option('--since <time>', SINCE, parseSince)
    .option('--address <address>')
    .option('--outcome <outcome>', 'such as bad_credentials')
    .action(call('logins'));
  addQuery(events, 'request', 'what happened to one request: sign-in, withdrawal or refusal')
    .argument('<id>', 'its request_id, "Reference" on the page', parseRequestId)
    .action(call('request'));
  addQuery(events, 'guesses', 'accounts under password guessing, and where it comes from')
    .option('--since <time>', SINCE, parseSince)
    .action(call('guesses'));
  addQuery(events, 'registrations', 'registrations of the last day, by hour')
    .option('--since <time>', SINCE, parseSince)
    .action(call('registrations'));
  addList(events, 'audit', 'what operators did, SQL edits that were seen, and changes of settings')
    .option('--subject <subject>', 'such as "player 42", with the id')
    .option('--who <name>')
    .option('--act <name>', 'such as settings.change')
    .option('--since <time>', SINCE, parseSince)
    .action(call('audit'));
}

function parseRequestId(text: string): string {
  if (isRequestId(text)) return text;
  throw new InvalidArgumentError('Must be 1 to 64 letters, digits, "-" and "_".');
}
