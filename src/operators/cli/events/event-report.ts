import { listTable } from '../terminal.js';
import type { AuditEvent, LoginEvent } from '../../../platform/audit/audit.entity.js';

export function loginsReport(found: LoginEvent[]): string {
  // Ids are not in chronological order, because a minute's counts are stored at the end of that minute.
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

/** Describes a change such as `status normal → maintenance`. */
export function changesOf({ before, after }: Pick<AuditEvent, 'before' | 'after'>): string {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  // Only `player unlock` records a list, which contains the counts of failed logins.
  if (Array.isArray(before)) return `${before.length} counts reset`;
  const [then, now] = [before, after] as Array<Record<string, unknown>>;
  const changed = Object.keys(then!).filter((name) => textOf(then![name]) !== textOf(now![name]));
  return changed.map((name) => `${name} ${describeChange(then![name], now![name])}`).join(', ');
}

/** Of a list, the text names only the removed and the added entries. */
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
