import { terminalTable } from '../../command/terminal-table.js';
import type { AuditEvent } from '../audit-event.entity.js';
import type { Guessing, HourOfRegistrations } from '../journal-search.js';
import type { LoginEvent } from '../login-event.entity.js';

export function loginsReport(events: LoginEvent[]): string {
  if (events.length === 0) return 'There are none.';
  return terminalTable(
    [
      'time (UTC)',
      'way',
      'outcome',
      'times',
      'player',
      'typed',
      'address',
      'device',
      'request',
      'id',
    ],
    events.map((event) => [
      event.createdAt,
      event.way,
      event.outcome,
      event.tries,
      event.playerId,
      event.account,
      event.address ?? 'many',
      event.device && shortened(event.device, 40),
      event.requestId,
      Number(event.id),
    ]),
  );
}

export function actsReport(events: AuditEvent[]): string {
  if (events.length === 0) return 'There are none.';
  return terminalTable(
    ['time (UTC)', 'who', 'act', 'subject', 'before', 'after', 'note', 'id'],
    events.map((event) => [
      event.createdAt,
      event.operator,
      event.act,
      event.subject,
      shortState(event.before),
      shortState(event.after),
      event.note,
      Number(event.id),
    ]),
  );
}

export function guessesReport(accounts: Guessing[], addresses: Guessing[]): string {
  if (accounts.length === 0) return 'Nobody failed to sign in.';
  const atWhom = terminalTable(
    ['player', 'typed', 'tries', 'addresses', 'last (UTC)'],
    accounts.map(({ player, account, tries, addresses: from, last }) => [
      player === null ? 'names that nobody has' : String(player),
      account,
      tries,
      from,
      last,
    ]),
  );
  const fromWhere = terminalTable(
    ['address', 'tries', 'last (UTC)'],
    addresses.map(({ address, tries, last }) => [address ?? 'many, in a flood', tries, last]),
  );
  return `At whom\n${atWhom}\n\nFrom where\n${fromWhere}`;
}

export function registrationsReport(hours: HourOfRegistrations[]): string {
  if (hours.length === 0) return 'Nobody registered.';
  return terminalTable(
    ['hour (UTC)', 'registered', 'refused'],
    hours.map(({ hour, registered, refused }) => [hour, registered, refused]),
  );
}

function shortState(state: object | null): string | null {
  return state && shortened(JSON.stringify(state), 60);
}

function shortened(text: string, longest: number): string {
  const letters = Array.from(text);
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : text;
}
