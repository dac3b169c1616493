import { listTable } from '../terminal-table.js';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { GuessingSummary, HourlyRegistrations } from '../../actions/events/event-search.js';
import type { LoginEvent } from '../../../platform/audit/login-event.entity.js';

export function loginsReport(found: LoginEvent[]): string {
  // Counts of a minute are written at its end.
  const events = found.toSorted(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime(),
  );
  return listTable(events, {
    'time (UTC)': (event) => event.createdAt,
    way: (event) => event.way,
    outcome: (event) => event.outcome,
    times: (event) => event.tries,
    player: (event) => event.playerId,
    typed: (event) => event.account,
    address: (event) => event.address ?? 'many',
    device: (event) => event.device && truncate(event.device, 40),
    request: (event) => event.requestId,
    id: (event) => Number(event.id),
  });
}

export function auditReport(events: AuditEvent[]): string {
  return listTable(events, {
    'time (UTC)': (event) => event.createdAt,
    who: (event) => event.operator,
    act: (event) => event.act,
    subject: (event) => event.subject,
    what: changesOf,
    note: (event) => event.note,
    id: (event) => Number(event.id),
  });
}

export function guessesReport(accounts: GuessingSummary[], addresses: GuessingSummary[]): string {
  if (accounts.length === 0) return 'Nobody failed to sign in.';
  const byAccount = listTable(accounts, {
    player: ({ player }) => (player === null ? 'names that nobody has' : String(player)),
    typed: ({ account }) => account,
    tries: ({ tries }) => tries,
    addresses: ({ addresses: from }) => from,
    'last (UTC)': ({ last }) => new Date(last),
  });
  const byAddress = listTable(addresses, {
    address: ({ address }) => address ?? 'many, in a flood',
    tries: ({ tries }) => tries,
    'last (UTC)': ({ last }) => new Date(last),
  });
  return `At whom, the most tries first\n${byAccount}\n\nFrom where, the most tries first\n${byAddress}`;
}

export function registrationsReport(hours: HourlyRegistrations[]): string {
  return listTable(
    hours,
    {
      'hour (UTC)': ({ hour }) => hour,
      registered: ({ registered }) => registered,
      refused: ({ refused }) => refused,
    },
    'Nobody registered.',
  );
}

/** Such as `status normal → maintenance`. */
export function changesOf({ before, after }: Pick<AuditEvent, 'before' | 'after'>): string {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  // Counts of failed logins, from `player unlock`.
  if (Array.isArray(before)) return `${before.length} counts ended`;
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  const changed = Object.keys(then!).filter((name) => textOf(then![name]) !== textOf(now![name]));
  return changed.map((name) => `${name} ${describeChange(then![name], now![name])}`).join(', ');
}

/** Of a long list, only what was removed and added. */
function describeChange(before: unknown, after: unknown): string {
  if (!isFilledList(before) || !isFilledList(after))
    return `${truncate(textOf(before), 60)} → ${truncate(textOf(after), 60)}`;
  const [then, now] = [before.map(textOf), after.map(textOf)];
  const removed = then.filter((entry) => !now.includes(entry)).map((entry) => `without ${entry}`);
  const added = now.filter((entry) => !then.includes(entry)).map((entry) => `with ${entry}`);
  return truncate([...removed, ...added].join(', ') || 'in another order', 200);
}

const isFilledList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 0;

function textOf(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function truncate(text: string, longest: number): string {
  const letters = Array.from(text);
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : text;
}
