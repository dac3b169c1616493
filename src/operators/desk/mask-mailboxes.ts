import type { Role } from '../actions/operators/role.js';

const MAILBOX = /([^\s"'<>(),;:@])[^\s"<>(),;:@]*@([\w-]+(?:\.[\w-]+)+)/gu;

/** Only `admin` sees full mailboxes; others see `a•••@example.com`. In any text: typed names, notes, states. */
export function maskMailboxes<T extends string | null>(text: T, role: Role): T {
  return (text === null || role === 'admin' ? text : text.replaceAll(MAILBOX, '$1•••@$2')) as T;
}

/** The same in every string of a JSON value. Not in the serialised text, where it could hit an escape. */
export function maskMailboxesDeep<T>(state: T, role: Role): T {
  return JSON.parse(JSON.stringify(state ?? null), (_name, value: unknown) =>
    typeof value === 'string' ? maskMailboxes(value, role) : value,
  ) as T;
}
