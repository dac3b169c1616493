import { type Command, InvalidArgumentError } from 'commander';
import {
  addAction,
  addList,
  addQuery,
  callMethod,
  inCommandContext,
  parseSince,
} from '../command-options.js';
import { isRequestId } from '../../../platform/http/request/request-id.js';

const MAX_BLOCK_HOURS = 24 * 366;
const SINCE = '30m, 2h, 1d … or a time';
const NOTES = `
gatehouse player logins lists the sign-ins of one player.

Examples
  gatehouse events guesses --since 30m
  gatehouse events block 203.0.113.50 --hours 12 --by anna --note "guesses passwords"
  gatehouse events mails --since 1h
  gatehouse events audit --subject "server 12"
  gatehouse events audit --act settings.change --since 1d`;

const runEvents = inCommandContext(async () => {
  const { EventsCommand, EventsCommandModule } = await import('./events.command.js');
  return { module: EventsCommandModule, handler: EventsCommand };
});

export function registerEvents(program: Command, run = runEvents): void {
  const call = callMethod(run);
  const events = program
    .command('events')
    .description(
      'shows sign-ins, guesses, mails, registrations, promoters, operator actions and dead events',
    )
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
  addAction(events, 'block', 'blocks an address on every instance, like deny_ip, for some time')
    .argument('<address>', 'an IPv4 or IPv6 address; for IPv6, the whole /64 network is blocked')
    .option('--hours <number>', 'how long', parseHours, 24)
    .action(call('block'));
  addAction(events, 'unblock', 'ends the block of an address')
    .argument('<address>')
    .action(call('unblock'));
  addQuery(events, 'mails', 'mails of the last hour by domain: outcomes, times and the last reply')
    .option('--since <time>', SINCE, parseSince)
    .action(call('mails'));
  addQuery(events, 'registrations', 'registrations of the last day, by hour')
    .option('--since <time>', SINCE, parseSince)
    .action(call('registrations'));
  addQuery(events, 'promoters', 'players whom promoters brought, by day and promoter')
    .option('--since <time>', `${SINCE}; default: 30d`, parseSince)
    .option('--csv', 'print CSV')
    .action(call('promoters'));
  addList(events, 'audit', 'actions of operators, detected SQL edits, and changes of settings')
    .option('--subject <subject>', 'such as "player 42", with the id')
    .option('--who <name>')
    .option('--act <name>', 'such as settings.change')
    .option('--since <time>', SINCE, parseSince)
    .action(call('audit'));
  addList(events, 'dead', 'events that an endpoint of the settings did not take for a day')
    .option('--endpoint <name>')
    .action(call('dead'));
  addAction(events, 'resend', 'sends the dead events again, and the waiting ones now')
    .option('--endpoint <name>', 'only those for this endpoint')
    .action(call('resend'));
}

function parseHours(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_BLOCK_HOURS) return Number(text);
  throw new InvalidArgumentError(`Must be a number of hours from 1 to ${MAX_BLOCK_HOURS}.`);
}

function parseRequestId(text: string): string {
  if (isRequestId(text)) return text;
  throw new InvalidArgumentError('Must be 1 to 64 letters, digits, "-" and "_".');
}
