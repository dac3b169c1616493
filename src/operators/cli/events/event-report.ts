import { terminalTable } from '../terminal-table.js';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { GuessingSummary, HourlyRegistrations } from '../../actions/events/event-search.js';
import type { LoginEvent } from '../../../platform/audit/login-event.entity.js';

export function loginsReport(found: LoginEvent[]): string {
  if (found.length === 0) return 'There are none.';
  // Counts of a minute are written at its end.
  const events = found.toSorted(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime(),
  );
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
      event.device && truncate(event.device, 40),
      event.requestId,
      Number(event.id),
    ]),
  );
}

export function auditReport(events: AuditEvent[]): string {
  if (events.length === 0) return 'There are none.';
  return terminalTable(
    ['time (UTC)', 'who', 'act', 'subject', 'what', 'note', 'id'],
    events.map((event) => [
      event.createdAt,
      event.operator,
      event.act,
      event.subject,
      changesOf(event),
      event.note,
      Number(event.id),
    ]),
  );
}

export function guessesReport(accounts: GuessingSummary[], addresses: GuessingSummary[]): string {
  if (accounts.length === 0) return 'Nobody failed to sign in.';
  const byAccount = terminalTable(
    ['player', 'typed', 'tries', 'addresses', 'last (UTC)'],
    accounts.map(({ player, account, tries, addresses: from, last }) => [
      player === null ? 'names that nobody has' : String(player),
      account,
      tries,
      from,
      new Date(last),
    ]),
  );
  const byAddress = terminalTable(
    ['address', 'tries', 'last (UTC)'],
    addresses.map(({ address, tries, last }) => [
      address ?? 'many, in a flood',
      tries,
      new Date(last),
    ]),
  );
  return `At whom, the most tries first\n${byAccount}\n\nFrom where, the most tries first\n${byAddress}`;
}

export function registrationsReport(hours: HourlyRegistrations[]): string {
  if (hours.length === 0) return 'Nobody registered.';
  return terminalTable(
    ['hour (UTC)', 'registered', 'refused'],
    hours.map(({ hour, registered, refused }) => [hour, registered, refused]),
  );
}

/** Such as `status normal → maintenance`. */
export function changesOf({ before, after }: Pick<AuditEvent, 'before' | 'after'>): string {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  // Counts of failed logins, from `player unlock`.
  if (Array.isArray(before)) return `${before.length} counts ended`;
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  const changed = Object.keys(then!).filter(
    (name) => describeValue(then![name]) !== describeValue(now![name]),
  );
  return changed
    .map((name) => `${name} ${describeValue(then![name])} → ${describeValue(now![name])}`)
    .join(', ');
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return 'none';
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), 60);
}

function truncate(text: string, longest: number): string {
  const letters = Array.from(text);
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : text;
}
