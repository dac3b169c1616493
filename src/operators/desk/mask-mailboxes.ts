import type { Role } from '../actions/operators/role.js';

const MAILBOX = /([^\s"'<>(),;:@])[^\s"<>(),;:@]*@([\w-]+(?:\.[\w-]+)+)/gu;

/** Whole mailboxes are for `admin` alone; others see `a•••@example.com`. In any text: names that were typed, notes, states. */
export function maskMailboxes<T extends string | null>(text: T, role: Role): T {
  return (text === null || role === 'admin' ? text : text.replaceAll(MAILBOX, '$1•••@$2')) as T;
}

/** The same in every text of a JSON value, as JSON knows it. In the values: of JSON's own text it could hit an escape. */
export function maskMailboxesDeep<T>(state: T, role: Role): T {
  return JSON.parse(JSON.stringify(state ?? null), (_name, value: unknown) =>
    typeof value === 'string' ? maskMailboxes(value, role) : value,
  ) as T;
}
