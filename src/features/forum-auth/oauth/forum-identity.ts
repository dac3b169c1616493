import { CONNECT_ID_PATTERN, MAX_CONNECT_ID_LENGTH } from '../../links/third-party-identity.js';

const NAME_FIELDS = ['username', 'preferred_username', 'nickname', 'name'];
const MAX_NAME_LENGTH = 40;

export interface ForumPerson {
  connectId: string;
  name?: string;
}

/**
 * The forum's id of the person: the field of that name or, for a path such as `user.id`, the field at its end.
 * Undefined if it cannot identify a person: forums give 0 to guests, and a number above 2^53 loses digits in JSON,
 * so it may be somebody else's.
 */
export function extractConnectId(userInfo: unknown, field: string): string | undefined {
  const value = ownField(userInfo, field) ?? field.split('.').reduce(ownField, userInfo);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  if (typeof value !== 'string' || value === '0') return undefined;
  const wellFormed =
    CONNECT_ID_PATTERN.test(value) &&
    value.isWellFormed() &&
    !value.includes('\0') &&
    Array.from(value).length <= MAX_CONNECT_ID_LENGTH;
  return wellFormed ? value : undefined;
}

/** The person's name at the forum. For display only: players may change it there. */
export function extractName(userInfo: unknown, idField: string): string | undefined {
  const holder = idField.split('.').slice(0, -1).reduce(ownField, userInfo);
  const names = NAME_FIELDS.map((field) => ownField(holder, field));
  const name = names.find((value): value is string => typeof value === 'string' && value !== '');
  return name && Array.from(name).slice(0, MAX_NAME_LENGTH).join('');
}

function ownField(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name))
    return undefined;
  return (holder as Record<string, unknown>)[name];
}
