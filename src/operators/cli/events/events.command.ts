import { Injectable } from '@nestjs/common';
import {
  type Arguments,
  parseLimit,
  parseSince,
  parseArguments,
  parsePositiveInt,
} from '../arguments.js';
import { type Report, UsageError } from '../command.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { auditReport, guessesReport, loginsReport, registrationsReport } from './event-report.js';

export const OPTIONS = [
  'since',
  'address',
  'outcome',
  'request',
  'subject',
  'who',
  'limit',
  'before',
];

export const USAGE = `gatehouse events logins [--since 1h] [--address 203.0.113.7] [--outcome bad_credentials] [--limit 50] [--before <id>]
gatehouse events logins --request 01M7F4G9N25PTY9WAWNAD2MEZB
                                                       the sign-in of one request; of others the log alone knows
gatehouse events guesses [--since 1h]                  at whose passwords somebody guesses, and from where
gatehouse events registrations [--since 1d]            hour by hour
gatehouse events audit [--subject "player 42"] [--who anna] [--since 7d] [--limit 50] [--before <id>]
                                                       what operators did, and SQL edits that were seen
--since is 30m, 2h, 1d … or a time in UTC. --json prints JSON. Of one player: gatehouse player logins.

Examples
  gatehouse events guesses --since 30m
  gatehouse events audit --subject "server 12"`;

/** What people ask about sign-ins and acts on a terminal. */
@Injectable()
export class EventsCommand {
  constructor(private readonly search: EventSearch) {}

  async run(args: string[]): Promise<Report & { json: boolean }> {
    const given = parseArguments(args, OPTIONS);
    if (given.positionals.length > 1) throw new UsageError('not understood');
    return { ...(await this.answer(given)), json: given.json };
  }

  private async answer(given: Arguments): Promise<Report> {
    const { address, outcome, request, subject, who, before } = given.options;
    if (before !== undefined) parsePositiveInt(before, 'id of an event');
    const span = { limit: parseLimit(given, 50), before };
    switch (given.positionals[0]) {
      case 'logins': {
        const since = parseSince(given, (address ?? request) === undefined ? '1h' : undefined);
        const data = await this.search.logins({ ...span, since, address, outcome, request });
        return { text: loginsReport(data), data };
      }
      case 'guesses': {
        const since = parseSince(given, '1h')!;
        const accounts = await this.search.guesses('player_id', since);
        const addresses = await this.search.guesses('address', since);
        return { text: guessesReport(accounts, addresses), data: { accounts, addresses } };
      }
      case 'registrations': {
        const data = await this.search.registrations(parseSince(given, '1d')!);
        return { text: registrationsReport(data), data };
      }
      case 'audit': {
        const since = parseSince(given);
        const data = await this.search.audit({ ...span, since, subject, by: who });
        return { text: auditReport(data), data };
      }
      default:
        throw new UsageError('say logins, guesses, registrations or audit');
    }
  }
}
